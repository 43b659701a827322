package csplib

import (
	"bufio"
	"fmt"
)

// scanner reads the few tokens of a parameter file. After the first error it
// reads nothing more.
type scanner struct {
	r            *bufio.Reader
	file         string
	line, column int
	err          error
}

// place returns the position of the next character as file:line:column.
func (s *scanner) place() string { return fmt.Sprintf("%s:%d:%d", s.file, s.line, s.column) }

func (s *scanner) fail(place, what string) {
	if s.err == nil {
		s.err = fmt.Errorf("%s: %s", place, what)
	}
}

// peek returns the next character, 0 at the end or after an error.
func (s *scanner) peek() byte {
	if s.err != nil {
		return 0
	}
	next, err := s.r.Peek(1)
	if err != nil {
		return 0
	}
	return next[0]
}

func (s *scanner) next() byte {
	c := s.peek()
	if c == 0 {
		return 0
	}
	s.r.Discard(1)
	s.column++
	if c == '\n' {
		s.line, s.column = s.line+1, 1
	}
	return c
}

func (s *scanner) space() {
	for c := s.peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = s.peek() {
		s.next()
	}
}

// expect skips white space and reads the wanted character.
func (s *scanner) expect(want byte) {
	s.space()
	if got := s.peek(); got != want {
		s.fail(s.place(), fmt.Sprintf("expected %q, not %s", want, show(got)))
		return
	}
	s.next()
}

// word reads letters.
func (s *scanner) word() string {
	var word []byte
	for c := s.peek(); 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'; c = s.peek() {
		word = append(word, s.next())
	}
	if len(word) == 0 {
		s.fail(s.place(), fmt.Sprintf("expected a name, not %s", show(s.peek())))
	}
	return string(word)
}

// number skips white space and reads digits.
func (s *scanner) number() int {
	s.space()
	place, number, digits := s.place(), 0, 0
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		if number = number*10 + int(s.next()-'0'); number > 1<<30 {
			s.fail(place, "the number is too large")
		}
		digits++
	}
	if digits == 0 {
		s.fail(place, fmt.Sprintf("expected a number, not %s", show(s.peek())))
	}
	return number
}

func show(c byte) string {
	if c == 0 {
		return "the end of the file"
	}
	return fmt.Sprintf("%q", c)
}
