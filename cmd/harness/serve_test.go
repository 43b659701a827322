package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The server listens on localhost unless --addr says otherwise.
func TestServerStaysAtHome(t *testing.T) {
	host, _, err := net.SplitHostPort(newServe().Flags().Lookup("addr").DefValue)
	require.NoError(t, err)
	assert.True(t, net.ParseIP(host).IsLoopback(), host)
}
