package report

import (
	"errors"
	"fmt"
	"strings"
	"text/template"

	"queens/experiments/config"
	"queens/experiments/record"
)

// The maximum sizes of an answer and of a document, in bytes: text from others may quote a large table over
// and over.
const (
	maxAnswer   = 64 << 10
	maxDocument = 16 << 20
)

// sentence fills in a template that looks things up in tables.
func sentence(name, text string, functions template.FuncMap, most int) (string, error) {
	t, err := config.ParseSentence(name, text, functions)
	if err != nil {
		return "", err
	}
	b := bounded{most: most}
	if err := t.Execute(&b, nil); err != nil {
		return "", placed{err}
	}
	return b.String(), nil
}

// placed is an error of a template. Its text begins with the place, as in name:line:column.
type placed struct{ error }

func (p placed) Error() string {
	text := strings.TrimPrefix(p.error.Error(), "template: ")
	place, rest, executing := strings.Cut(text, ": executing ")
	if cause := errors.Unwrap(errors.Unwrap(p.error)); executing && cause != nil && strings.HasSuffix(rest, cause.Error()) {
		return place + ": " + cause.Error()
	}
	return text
}
func (p placed) Unwrap() error { return p.error }

// bounded is a text that may not grow beyond a number of bytes.
type bounded struct {
	strings.Builder
	most int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, fmt.Errorf("the text would be longer than %d KiB", b.most>>10)
	}
	return b.Builder.Write(p)
}

// unknown is the error of a sentence that the records do not support. It holds the reason.
type unknown string

func (u unknown) Error() string { return "not known: " + string(u) }

// standing says how far a record set fulfils its configuration.
type standing struct {
	doubt string // why no sentence may be made from the set; empty if it is complete and has no wrong answers
	count string // number of records, and of runs
}

// standingOf compares a set with its configuration, unless its coverage is given.
func standingOf(set record.Set, given *record.Coverage) (s standing) {
	s.count = fmt.Sprintf("%d records", len(set.Rows))
	var covered record.Coverage
	var err error
	if given != nil {
		covered = *given
	} else {
		covered, err = set.Coverage()
	}
	if err == nil && covered.Runs > 0 {
		s.count = fmt.Sprintf("%d of %d runs", len(set.Rows), covered.Runs)
	}
	switch refuted, how := record.RefutedRuns(set.Rows); {
	case err != nil:
		s.doubt = "the records are not those of the configuration, or it names files that are not here"
	case !covered.Complete():
		s.doubt = covered.String()
	case refuted > 0:
		s.doubt = fmt.Sprintf("the answers of %d of %d runs are %s", refuted, len(set.Rows), how)
	default:
		if twice := set.Contradictions(); len(twice) > 0 {
			s.doubt = record.TwoAnswers(len(twice)) + ": " + twice[0]
		}
	}
	return s
}
