package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// admit says what keeps a request out: a status and a message, or 0.
//
// A foreign page can have a name of its own resolve to this machine (DNS rebinding),
// and its requests are then of the same origin to a browser; the name stands in the
// Host header, so a name must be one we were told of. An address is never such a name.
// A foreign page that asks us by our right name says in the Origin header where it
// comes from.
func (s *Server) admit(r *http.Request) (status int, message string) {
	if !s.isOurs(r.Host) {
		return http.StatusMisdirectedRequest, fmt.Sprintf(
			"host %q: this server answers to addresses, to localhost, and to the names given by --host",
			r.Host,
		)
	}
	from := r.Header.Get("Origin")
	if from == "" {
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return http.StatusForbidden, "a page of another site may not ask this server"
		}
		return 0, ""
	}
	origin, err := url.Parse(from)
	if err != nil || origin.Host == "" ||
		!strings.EqualFold(origin.Host, r.Host) && !s.isNamed(hostname(origin.Host)) {
		return http.StatusForbidden, fmt.Sprintf("origin %q: a page of another site may not ask this server", from)
	}
	return 0, ""
}

// isOurs reports whether a Host header is an address, localhost or a name of ours.
func (s *Server) isOurs(host string) bool {
	name := hostname(host)
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || s.isNamed(name)
}

func (s *Server) isNamed(name string) bool {
	return slices.ContainsFunc(s.config.Hosts, func(ours string) bool { return strings.EqualFold(ours, name) })
}

// hostname is the host without its port, brackets and final dot, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
