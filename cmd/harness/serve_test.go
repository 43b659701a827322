package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/choice"
)

// The server listens on localhost unless --addr says otherwise.
func TestServerStaysAtHome(t *testing.T) {
	host, _, err := net.SplitHostPort(newServe().Flags().Lookup("addr").DefValue)
	require.NoError(t, err)
	assert.True(t, net.ParseIP(host).IsLoopback(), host)
}

// A family or a file is opened for the page to configure; queens are the page's boards.
func TestServedProblem(t *testing.T) {
	f := problemFlags{boardFlags: boardFlags{exclude: -1}, family: "queens"}
	options, _, err := f.options(t.Context(), choice.Choice{})
	require.NoError(t, err)
	assert.Nil(t, options)
	f.family, f.n = "latin", 4
	options, _, err = f.options(t.Context(), choice.Choice{})
	require.NoError(t, err)
	choices, err := options.Open(nil)
	require.NoError(t, err)
	look, err := choices.Look(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "576", look.Left)
	f.cnf = "nowhere.cnf"
	_, _, err = f.options(t.Context(), choice.Choice{})
	assert.ErrorContains(t, err, "flag --cnf")
}
