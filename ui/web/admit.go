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

// admit returns the status and message with which to refuse a request, or 0 if it is allowed.
//
// A foreign page can make its own name resolve to this machine (DNS rebinding); a browser then takes its
// requests for same-origin ones. Since that name is in the Host header, only names given in the
// configuration are allowed. Addresses are allowed, since they cannot be rebound. A foreign page that
// uses one of our own names is detected by the Origin header.
func (s *Server) admit(r *http.Request) (status int, message string) {
	if !s.isOurs(r.Host) {
		return http.StatusMisdirectedRequest, fmt.Sprintf("host %q: this server answers only to "+
			"addresses, localhost and the names given by --host", r.Host)
	}
	from := r.Header.Get("Origin")
	if from == "" {
		if r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return http.StatusForbidden, "pages of other sites may not use this server"
		}
		return 0, ""
	}
	origin, err := url.Parse(from)
	if err != nil || origin.Host == "" ||
		!strings.EqualFold(origin.Host, r.Host) && !s.isNamed(hostname(origin.Host)) {
		return http.StatusForbidden, fmt.Sprintf("origin %q: pages of other sites may not use this server", from)
	}
	return 0, ""
}

// isOurs reports whether a Host header is an address, localhost or a configured name.
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

// hostname returns the host without its port, brackets and final dot, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
