package encode

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"queens/encode/cnf"
)

// ReadUVL reads a feature model in the Universal Variability Language (Benavides, Sundermann, Feichtinger, Galindo, Rabiser
// and Thuem, UVL: Feature modelling with the Universal Variability Language, 2025), at its Boolean level: a tree of
// features with mandatory, optional, or and alternative groups and cardinalities, and constraints of !, &, |, => and <=>.
// A feature is a variable, numbered and named as the tree lists it, and the tree's groups are the problem's. Attributes
// are left out, except constraints; the note says so unless all are "abstract", which has no value. Imports, clones, types,
// arithmetic and strings are errors. order is nil. A constraint is named after its line. Errors name the place as file:line.
func ReadUVL(r io.Reader, file string) (p Problem, order []cnf.Var, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Problem{}, nil, fmt.Errorf("%s: %w", file, err)
	}
	u := &uvlReader{features: make(map[string]cnf.Var), defined: make(map[*rule]cnf.Lit)}
	if u.line, err = u.read(string(text)); err != nil {
		return Problem{}, nil, fmt.Errorf("%s:%d: %w", file, u.line, err)
	}
	if u.line, err = u.distinct(); err != nil {
		return Problem{}, nil, fmt.Errorf("%s:%d: %w", file, u.line, err)
	}
	p = Problem{Family: "uvl", Auxiliary: u.vars - len(u.features)}
	p.Names, _, p.Note = named(len(u.features), u.names, file)
	p.Note = strings.ReplaceAll(p.Note, "a comment that names nothing", "a name that is not shown")
	p.Groups, p.Constraints = u.tree(p.Names)
	if p.Auxiliary > 0 {
		p.FileNames = u.withAuxiliary(p.Names.(List))
	}
	if u.attributes > 0 {
		note := fmt.Sprintf("%s:%d: attributes are left out", file, u.attributes)
		p.Note = strings.TrimPrefix(p.Note+"; "+note, "; ")
	}
	p.Constraints = append(p.Constraints, recovered(flat(u.clauses))...)
	return p, nil, nil
}

// distinct gives features names that differ: "A B" beside A_B becomes A_B_2, since a name has no white space, and a number becomes
// _12, since 12 may be a variable's number. It returns the line of an error.
func (u *uvlReader) distinct() (line int, err error) {
	taken := make(map[string]bool, len(u.names))
	for i := range u.names {
		c := &u.names[i]
		name := c.Name
		if number, wrong := strconv.Atoi(name); wrong == nil && number != int(c.Var) {
			name = "_" + name
			if _, other := u.features[name]; other {
				return c.Line, fmt.Errorf("features %q and %q: expected names that differ in more than a _", c.Name, name)
			}
		}
		c.Name = name
		for k := 2; taken[c.Name] || u.features[c.Name] > 0 && u.features[c.Name] != c.Var; k++ {
			c.Name = fmt.Sprintf("%s_%d", name, k)
		}
		taken[c.Name] = true
	}
	return 0, nil
}

// withAuxiliary returns the names of the features and those of the auxiliary variables, as x12, which are not a feature's.
func (u *uvlReader) withAuxiliary(names List) List {
	taken := make(map[string]bool, len(names))
	for _, name := range names {
		taken[name] = true
	}
	all := slices.Clone(names)
	for v := len(names) + 1; v <= u.vars; v++ {
		name := fmt.Sprintf("x%d", v)
		for taken[name] {
			name = "_" + name
		}
		all = append(all, name)
	}
	return all
}

// uvlReader holds what has been read.
type uvlReader struct {
	line       int // the current one, for errors
	features   map[string]cnf.Var
	names      []cnf.Comment // by feature: its name, as a comment that gives it
	vars       int           // features, then auxiliary variables
	attributes int           // the first line that has some; 0 for none
	within     []uvlLine     // constraints among attributes
	groups     []uvlGroup
	clauses    []clause
	defined    map[*rule]cnf.Lit // auxiliary variables that equal a rule
}

// uvlGroup is a group of features below a parent: each needs the parent, and the parent needs from least to most of them.
type uvlGroup struct {
	line        int
	kind        string
	parent      cnf.Lit
	least, most int
	lits        []cnf.Lit
}

// uvlLine is a line without comments, and the lines that its brackets span.
type uvlLine struct {
	number, indent int
	words          []string // quoted ones begin with "
}

// read reads a model. It returns the line of an error.
func (u *uvlReader) read(text string) (line int, err error) {
	lines, err := u.split(text)
	if err != nil {
		return u.line, err
	}
	blocks := map[string][]uvlLine{}
	for len(lines) > 0 {
		var block []uvlLine
		block, lines = children(lines)
		first := block[0]
		u.line = first.number
		switch name := first.words[0]; {
		case name == "imports":
			return u.line, fmt.Errorf("imports: supported is a model in one file")
		case name == "namespace", name == "include":
		case (name == "features" || name == "constraints") && len(first.words) == 1 && blocks[name] == nil:
			blocks[name] = block[1:]
		default:
			return u.line, fmt.Errorf("%q: expected namespace, include, features or constraints, each once", strings.Join(first.words, " "))
		}
	}
	if len(blocks["features"]) == 0 {
		return max(u.line, 1), fmt.Errorf("a model without features: expected features, and below it the root, further right")
	}
	root, rest := children(blocks["features"])
	if len(rest) > 0 {
		return rest[0].number, fmt.Errorf("a second root: expected one feature above all others")
	}
	if _, err := u.feature(root[0], root[1:]); err != nil {
		return u.line, err
	}
	u.vars = len(u.features)
	for _, line := range blocks["constraints"] {
		if u.line = line.number; line.indent != blocks["constraints"][0].indent {
			return u.line, fmt.Errorf("a constraint that stands further right or left than the first: expected them below each other")
		}
	}
	for _, line := range append(u.within, blocks["constraints"]...) {
		u.line = line.number
		if err := u.constraint(line.words); err != nil {
			return u.line, err
		}
	}
	return 0, nil
}

// children cuts the first line and all that stand further right off the others.
func children(lines []uvlLine) (first, rest []uvlLine) {
	end := 1
	for end < len(lines) && lines[end].indent > lines[0].indent {
		end++
	}
	return lines[:end], lines[end:]
}

// signs of the language, longest first.
var uvlSigns = []string{"<=>", "=>", "==", "!=", "<=", ">=", "!", "&", "|", "(", ")", "[", "]", "{", "}", ",", "<", ">"}

// split splits a text into lines and words. Brackets and /* */ span lines.
func (u *uvlReader) split(text string) (lines []uvlLine, err error) {
	text = strings.TrimPrefix(text, "\ufeff")
	depth, indent, begins := 0, 0, true
	for u.line = 1; len(text) > 0; {
		sign := ""
		for _, s := range uvlSigns {
			if strings.HasPrefix(text, s) {
				sign = s
				break
			}
		}
		word := sign
		switch c := text[0]; {
		case c == '\n':
			text = text[1:]
			if u.line++; depth == 0 {
				begins, indent = true, 0
			}
			continue
		case c == ' ', c == '\t', c == '\r', c == '\f':
			if indent++; c == '\t' {
				indent += 7 - (indent-1)%8
			}
			text = text[1:]
			continue
		case strings.HasPrefix(text, "//"):
			text = text[max(0, strings.IndexByte(text+"\n", '\n')):]
			continue
		case strings.HasPrefix(text, "/*"):
			end := strings.Index(text, "*/")
			if end < 0 {
				return nil, fmt.Errorf("a comment that does not end: expected */")
			}
			u.line += strings.Count(text[:end], "\n")
			text = text[end+2:]
			continue
		case c == '"', c == '\'':
			end := strings.IndexByte(text[1:], c)
			if end < 0 || strings.Contains(text[1:1+end], "\n") && c == '"' {
				return nil, fmt.Errorf("a text that does not end: expected %c", c)
			}
			word = text[:end+2]
		case sign == "":
			end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f\"!&|()[]{},<>=", r) })
			if end < 0 {
				end = len(text)
			}
			word = text[:max(end, 1)]
		case strings.Contains("([{", sign):
			depth++
		case strings.Contains(")]}", sign):
			if depth--; depth < 0 {
				return nil, fmt.Errorf("%s closes no bracket", sign)
			}
		}
		if begins {
			lines = append(lines, uvlLine{number: u.line, indent: indent})
			begins = false
		}
		last := &lines[len(lines)-1]
		last.words = append(last.words, word)
		u.line += strings.Count(word, "\n")
		text = text[len(word):]
	}
	if depth > 0 {
		return nil, fmt.Errorf("the file ends within brackets that are open")
	}
	return lines, nil
}

// feature reads a feature and, from the lines below it, its groups.
func (u *uvlReader) feature(line uvlLine, below []uvlLine) (cnf.Lit, error) {
	u.line = line.number
	words := line.words
	switch words[0] {
	case "Boolean":
		if len(words) > 1 && isName(words[1]) {
			words = words[1:]
		}
	case "Integer", "Real", "String":
		if len(words) > 1 && isName(words[1]) {
			return 0, fmt.Errorf("%s, a feature of type %s: supported are Boolean features", words[1], words[0])
		}
	}
	name := words[0]
	if !isName(name) {
		return 0, fmt.Errorf("%q: expected the name of a feature", name)
	}
	if name = strings.Trim(name, `"`); strings.TrimSpace(name) == "" {
		return 0, fmt.Errorf("a feature without a name")
	}
	if _, twice := u.features[name]; twice {
		return 0, fmt.Errorf("feature %q has a name that another one has", name)
	}
	if len(u.features) == cnf.MaxVar {
		return 0, fmt.Errorf("more than %d features", cnf.MaxVar)
	}
	v := cnf.Var(len(u.features) + 1)
	u.features[name] = v
	u.names = append(u.names, cnf.Named(v, name, line.number))
	if err := u.decoration(name, words[1:]); err != nil {
		return 0, err
	}
	for len(below) > 0 {
		var group []uvlLine
		group, below = children(below)
		if err := u.group(v.Pos(), group[0], group[1:]); err != nil {
			return 0, err
		}
	}
	return v.Pos(), nil
}

// isName reports whether a word may be a name: it is quoted, or has no sign.
func isName(word string) bool {
	return word[0] != '\'' && !slices.Contains(uvlSigns, word) && word != "="
}

// decoration reads what follows a feature's name: a cardinality, and attributes.
func (u *uvlReader) decoration(name string, words []string) error {
	if len(words) > 0 && words[0] == "cardinality" {
		_, most, rest, err := cardinality(words[1:], 1)
		switch {
		case err != nil:
			return err
		case most != 1:
			return fmt.Errorf("feature %q may be chosen more than once: supported are [0..1] and [1]", name)
		}
		words = rest
	}
	if len(words) > 0 && words[0] == "{" {
		attributes, rest := bracketed(words)
		for _, a := range attributes {
			u.attribute(a)
		}
		words = rest
	}
	if len(words) > 0 {
		return fmt.Errorf("%q after feature %q: expected a cardinality, or attributes in braces", words[0], name)
	}
	return nil
}

// attribute keeps a constraint or several, and notes any other attribute except abstract.
func (u *uvlReader) attribute(words []string) {
	within := [][]string{}
	switch text := strings.Join(words, " "); {
	case text == "", text == "abstract", text == "abstract true", text == "abstract false":
	case words[0] == "constraint":
		within = append(within, words[1:])
	case words[0] == "constraints" && len(words) > 1 && words[1] == "[":
		within, _ = bracketed(words[1:])
	case u.attributes == 0:
		u.attributes = u.line
	}
	for _, words := range within {
		u.within = append(u.within, uvlLine{number: u.line, words: words})
	}
}

// bracketed returns what stands between a bracket, the first word, and the one that closes it, separated by commas, and the words after
// that.
func bracketed(words []string) (items [][]string, rest []string) {
	depth, from := 0, 1
	for i, word := range words {
		if strings.Contains("([{", word) {
			depth++
		} else if strings.Contains(")]}", word) {
			depth--
		}
		if depth == 0 || depth == 1 && word == "," {
			items, from = append(items, words[from:i]), i+1
		}
		if depth == 0 {
			return items, words[from:]
		}
	}
	return items, nil // not reached: split finds what is not closed
}

// cardinality reads two numbers with .. between them, or one, in brackets; * stands for all.
func cardinality(words []string, all int) (least, most int, rest []string, err error) {
	wrong := fmt.Errorf("%q: expected a cardinality such as [1..3], [2] or [1..*]", strings.Join(words[:min(3, len(words))], ""))
	if len(words) < 3 || words[0] != "[" || words[2] != "]" {
		return 0, 0, nil, wrong
	}
	from, to, both := strings.Cut(words[1], "..")
	if !both {
		to = from
	}
	if least, err = strconv.Atoi(from); err != nil || least < 0 {
		return 0, 0, nil, wrong
	}
	if most, err = strconv.Atoi(to); to == "*" {
		most, err = max(all, least), nil
	}
	if err != nil || most < least {
		return 0, 0, nil, wrong
	}
	return least, most, words[3:], nil
}

// group reads a group of a feature, with the features of the lines below it.
func (u *uvlReader) group(parent cnf.Lit, line uvlLine, below []uvlLine) error {
	g := uvlGroup{line: line.number, kind: line.words[0], parent: parent}
	if !slices.Contains([]string{"mandatory", "optional", "or", "alternative", "["}, g.kind) ||
		g.kind != "[" && len(line.words) > 1 {
		u.line = g.line
		return fmt.Errorf("%q: expected a group: mandatory, optional, or, alternative, or a cardinality such as [1..3]",
			strings.Join(line.words, " "))
	}
	for len(below) > 0 {
		var child []uvlLine
		child, below = children(below)
		l, err := u.feature(child[0], child[1:])
		if err != nil {
			return err
		}
		g.lits = append(g.lits, l)
	}
	u.line = g.line
	all := len(g.lits)
	if all == 0 {
		return fmt.Errorf("a group without features: expected some below it, further right")
	}
	switch g.most = all; g.kind {
	case "or":
		g.least = 1
	case "alternative":
		g.least, g.most = 1, 1
	case "mandatory":
		g.least = all
	case "[":
		least, most, rest, err := cardinality(line.words, all)
		if err == nil && len(rest) > 0 {
			err = fmt.Errorf("%q after a cardinality: expected the group's features below it", rest[0])
		}
		if err != nil {
			return err
		}
		g.least, g.most = least, most
	}
	u.groups = append(u.groups, g)
	return nil
}

// tree returns the groups, those of a feature above those below it, and what they say, in the order of their lines.
// Features that are chosen each on its own, mandatory or optional, are one group.
func (u *uvlReader) tree(names Names) (groups []Group, rules []Constraint) {
	slices.SortFunc(u.groups, func(a, b uvlGroup) int { return cmp.Compare(a.line, b.line) })
	rules = []Constraint{AtLeastOne(fmt.Sprintf("line %d", u.names[0].Line), 1)}
	for _, g := range u.groups {
		rules = append(rules, g.rules()...)
	}
	groups = []Group{{Name: names.Name(1), Rule: "always chosen", Vars: []cnf.Var{1}}}
	slices.SortStableFunc(u.groups, func(a, b uvlGroup) int { return cmp.Compare(a.parent, b.parent) })
	singles := -1 // the group of the same parent's features that are chosen each on its own
	for i, g := range u.groups {
		if i == 0 || g.parent != u.groups[i-1].parent {
			singles = -1
		}
		single := g.kind == "mandatory" || g.kind == "optional"
		if !single || singles < 0 {
			groups = append(groups, Group{Name: names.Name(g.parent.Var())})
		}
		of := &groups[len(groups)-1]
		if single && singles < 0 {
			singles = len(groups) - 1
		}
		if single {
			of = &groups[singles]
		}
		for _, l := range g.lits {
			of.Vars = append(of.Vars, l.Var())
		}
		if of.Rule = Plural(len(of.Vars), "option"); !single {
			of.Rule = fmt.Sprintf("%s of %d", Constraint{Least: g.least, Most: g.most, Lits: g.lits}.Count(), len(of.Vars))
			of.One = g.most == 1
		}
	}
	return groups, rules
}

// rules returns what the group says.
func (g uvlGroup) rules() (rules []Constraint) {
	name := fmt.Sprintf("line %d", g.line)
	if g.least == 1 && g.most == 1 && len(g.lits) > 1 {
		return []Constraint{ExactlyOne(name, append([]cnf.Lit{g.parent.Not()}, g.lits...)...)}
	}
	for _, l := range g.lits {
		rules = append(rules, AtLeastOne(name, l.Not(), g.parent))
	}
	switch {
	case g.least > len(g.lits): // too few for it
		return append(rules, AtLeastOne(name, g.parent.Not()))
	case g.least == len(g.lits):
		for _, l := range g.lits {
			rules = append(rules, AtLeastOne(name, g.parent.Not(), l))
		}
	case g.least > 0:
		sum := linear{bound: int64(g.least), terms: []term{{g.parent.Not(), int64(g.least)}}}
		for _, l := range g.lits {
			sum.terms = append(sum.terms, term{l, 1})
		}
		rules = append(rules, sum.constraints(name, false)...)
	}
	if g.most < len(g.lits) {
		rules = append(rules, Constraint{Name: name, Most: g.most, Lits: g.lits})
	}
	return rules
}
