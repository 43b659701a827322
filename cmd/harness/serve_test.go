package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
)

// The server listens on localhost unless --addr says otherwise.
func TestServerStaysAtHome(t *testing.T) {
	host, _, err := net.SplitHostPort(newServe().Flags().Lookup("addr").DefValue)
	require.NoError(t, err)
	assert.True(t, net.ParseIP(host).IsLoopback(), host)
}

// A family or a file is opened for the page to configure.
func TestServedProblem(t *testing.T) {
	q := flags{Setup: ask.Setup{Problem: "latin", N: 4}}
	options, _, err := q.options(t.Context())
	require.NoError(t, err)
	choices, err := options.Open(nil)
	require.NoError(t, err)
	look, err := choices.Look(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "576", look.Left)
	q.Problem = "cnf:nowhere.cnf"
	_, _, err = q.options(t.Context())
	assert.ErrorContains(t, err, "open nowhere.cnf")
}
