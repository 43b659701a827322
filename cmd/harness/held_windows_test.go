package main

import "os"

// heldKiB is not known here: no script that asks for it runs on this system.
func heldKiB(*os.ProcessState) int64 { return 0 }
