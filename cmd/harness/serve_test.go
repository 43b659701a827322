package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"queens/ask"
	"queens/configure/pool"
)

// The server listens on localhost unless --addr says otherwise.
func TestServerStaysAtHome(t *testing.T) {
	host, _, err := net.SplitHostPort(newServe().Flags().Lookup("addr").DefValue)
	require.NoError(t, err)
	assert.True(t, net.ParseIP(host).IsLoopback(), host)
}

// What is printed can be opened in a browser on this machine.
func TestPrintedAddress(t *testing.T) {
	for want, addr := range map[string]net.TCPAddr{
		"localhost:8095": {IP: net.IPv6unspecified, Port: 8095}, "localhost:80": {IP: net.IPv4zero, Port: 80},
		"127.0.0.1:8080": {IP: net.IPv4(127, 0, 0, 1), Port: 8080},
	} {
		assert.Equal(t, want, reachable(&addr))
	}
}

// A server for others says where they find it; one for this machine only does not.
func TestAddressesForOthers(t *testing.T) {
	network := func(ip string) net.Addr { return &net.IPNet{IP: net.ParseIP(ip)} }
	interfaces := []net.Addr{network("127.0.0.1"), network("192.0.2.7"), network("::1"), network("fe80::1"), network("2001:db8::7")}
	assert.Equal(t, []string{"192.0.2.7:8080", "[2001:db8::7]:8080"}, others(&net.TCPAddr{IP: net.IPv6unspecified, Port: 8080}, interfaces))
	assert.Empty(t, others(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}, interfaces))
	assert.Empty(t, others(&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 8080}, interfaces))
}

// A family or a file is opened for the page to configure.
func TestServedProblem(t *testing.T) {
	q := flags{Setup: ask.Setup{Problem: "latin", N: 4}}
	warm := pool.New(pool.Limits{})
	options, _, err := q.options(t.Context(), console{}, warm)
	require.NoError(t, err)
	choices, err := options.Open(nil)
	require.NoError(t, err)
	_, err = warm.Compile(t.Context(), 0, "")
	require.NoError(t, err)
	look, err := choices.Look(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "576", look.Left)
	q.Problem = "cnf:nowhere.cnf"
	_, _, err = q.options(t.Context(), console{}, warm)
	assert.ErrorContains(t, err, "open nowhere.cnf")
}
