//go:build !unix && !js

package system

import (
	"os"
	"time"
)

// NotifyStop returns a nil channel: these systems do not ask a process to stop.
func NotifyStop() (asked <-chan os.Signal, end func()) { return nil, func() {} }

// StopTogether does nothing.
func (t *tree) StopTogether() {}

// CountStops returns a function that returns 0.
func CountStops() func() time.Duration { return func() time.Duration { return 0 } }
