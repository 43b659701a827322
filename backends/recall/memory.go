package recall

import (
	"slices"

	"queens/backends"
	"queens/encode"
	"queens/encode/cnf"
)

// Memory keeps solutions of one problem and answers about it, for one goroutine at a time.
//
// A question costs one step for each answer kept, and one for each assumption and 64 solutions kept; a literal costs
// one step if the block of solutions that showed it last shows it again.
type Memory struct {
	witnesses witnesses
	answers   []answer // the least recently used first
	bytes     int64    // of the answers

	assume  []cnf.Lit // of the present question, sorted, each once
	within  uint64    // its signature
	witness []bool    // memory of Witness
	never   []uint8   // by variable-1: 1 if an answer says that it is never true, plus 2 if never false
}

// answer is an answer and its question.
type answer struct {
	assume []cnf.Lit // sorted, each once
	within uint64    // signature: a bit for each of them, by hash
	valid  backends.Valid
}

// What a Memory holds at most. A session has as many answers as decisions, some hundreds on a large model.
const (
	mostAnswers     = 256
	mostAnswerBytes = 32 << 20
)

// New returns an empty Memory for a problem with this many variables. Its solutions may have auxiliary ones, too.
func New(vars int) *Memory {
	return &Memory{witnesses: newWitnesses(vars), never: make([]uint8, vars)}
}

// Bytes returns the bytes held.
func (m *Memory) Bytes() int64 {
	return m.bytes + m.witnesses.bytes() + int64(cap(m.never))
}

// Ask turns to a question. If its answer is kept, or follows from one under fewer assumptions that has no
// solution, Ask returns it; the caller must not change it. If not, Possible, Impossible and Satisfiable say what is known.
func (m *Memory) Ask(assume []cnf.Lit) (valid backends.Valid, known bool) {
	m.assume = append(m.assume[:0], assume...)
	slices.Sort(m.assume)
	m.assume = slices.Compact(m.assume)
	m.within = signature(m.assume)
	nearest := -1
	for i := range m.answers {
		a := &m.answers[i]
		if a.within&^m.within != 0 || len(a.assume) > len(m.assume) ||
			nearest >= 0 && len(a.assume) <= len(m.answers[nearest].assume) || !subset(a.assume, m.assume) {
			continue
		}
		nearest = i
		if len(a.assume) == len(m.assume) || !a.valid.Satisfiable {
			break
		}
	}
	if nearest >= 0 {
		found := m.answers[nearest]
		m.answers = append(slices.Delete(m.answers, nearest, nearest+1), found)
		if len(found.assume) == len(m.assume) || !found.valid.Satisfiable {
			return found.valid, true
		}
	}
	clear(m.never)
	if nearest >= 0 {
		m.rule(m.answers[len(m.answers)-1].valid)
	}
	m.witnesses.ask(m.assume)
	return backends.Valid{}, false
}

// rule adds what an answer under fewer assumptions rules out.
func (m *Memory) rule(by backends.Valid) {
	at := 0
	for i := range m.never {
		if at < len(by.Possible) && int(by.Possible[at]) == i+1 {
			at++
		} else {
			m.never[i] |= 1
		}
	}
	for _, v := range by.Forced {
		m.never[v-1] |= 2
	}
}

// Possible reports whether a kept solution that satisfies the question's assumptions has the literal.
func (m *Memory) Possible(l cnf.Lit) bool { return m.witnesses.shows(l) || m.witnesses.show(l) }

// Likely is Possible for a quick look, which mostly suffices: false means that the look has not shown the literal.
func (m *Memory) Likely(l cnf.Lit) bool { return m.witnesses.shows(l) }

// Impossible reports whether an answer under fewer assumptions rules the literal out.
func (m *Memory) Impossible(l cnf.Lit) bool {
	if l > 0 {
		return m.never[l-1]&1 != 0
	}
	return m.never[-l-1]&2 != 0
}

// Satisfiable reports whether a kept solution satisfies the question's assumptions.
func (m *Memory) Satisfiable() bool { return m.witnesses.any() }

// Witness returns the values of a kept solution that satisfies the question's assumptions, by variable-1; nil if there
// is none. The next call overwrites them.
func (m *Memory) Witness() []bool {
	if !m.Satisfiable() {
		return nil
	}
	if m.witness == nil {
		m.witness = make([]bool, len(m.never))
	}
	m.witnesses.latest(m.witness)
	return m.witness
}

// Solve answers with a kept solution of the problem that satisfies assumptions, which need not be the question's.
func (m *Memory) Solve(p encode.Problem, assume []cnf.Lit) (answer backends.Answer, known bool) {
	model, known := m.witnesses.find(assume)
	if !known || p.Whole().Verify(model) != nil {
		return answer, false
	}
	return backends.Answer{Status: backends.Sat, Model: model[:p.NumVars()]}, true
}

// Keep keeps a solution that satisfies the question's assumptions: the solution kept last, with the given literals made
// true. Before the first, all variables are false.
func (m *Memory) Keep(changed []cnf.Lit) { m.witnesses.add(changed) }

// Follow is Keep for one of many solutions that come after one that was kept for the same question. It is kept only if
// the others do not show all that it shows. Until the next question or move, Possible may miss what these solutions show.
func (m *Memory) Follow(changed []cnf.Lit) { m.witnesses.follow(changed) }

// Answered keeps the answer to the question.
func (m *Memory) Answered(valid backends.Valid) {
	m.witnesses.flush()
	m.answers = append(m.answers, answer{slices.Clone(m.assume), m.within, valid})
	m.bytes += m.answers[len(m.answers)-1].bytes()
	for len(m.answers) > 1 && (len(m.answers) > mostAnswers || m.bytes > mostAnswerBytes) {
		m.bytes -= m.answers[0].bytes()
		m.answers = slices.Delete(m.answers, 0, 1)
	}
}

func (a *answer) bytes() int64 {
	return int64(4*(len(a.assume)+cap(a.valid.Possible)+cap(a.valid.Forced))) + 256
}

// signature has a bit for each literal, by hash: a set that has a bit more than another is no subset of it.
func signature(lits []cnf.Lit) (bits uint64) {
	for _, l := range lits {
		bits |= 1 << (uint64(uint32(l)) * 0x9e3779b97f4a7c15 >> 58)
	}
	return bits
}

// subset reports whether sorted literals are all among others.
func subset(some, all []cnf.Lit) bool {
	for _, l := range all {
		if len(some) == 0 {
			break
		}
		if some[0] == l {
			some = some[1:]
		}
	}
	return len(some) == 0
}
