package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/choice"
	"queens/encode"
	"queens/encode/cnf"
	"queens/experiments"
)

// choices are the names that a flag accepts, in the form that shells complete: each may be
// followed by a tab and a description.
type choices []cobra.Completion

// describe returns the names and descriptions of a list.
func describe[T any](list []T, of func(T) (name, doc string)) choices {
	var c choices
	for _, item := range list {
		c = append(c, cobra.CompletionWithDesc(of(item)))
	}
	return c
}

// texts returns names without descriptions.
func texts[T ~string](names []T) choices {
	c := make(choices, len(names))
	for i, name := range names {
		c[i] = string(name)
	}
	return c
}

// names returns the names alone.
func (c choices) names() []string {
	list := make([]string, len(c))
	for i, choice := range c {
		list[i], _, _ = strings.Cut(choice, "\t")
	}
	return list
}

// String lists the names.
func (c choices) String() string { return strings.Join(c.names(), ", ") }

// register adds a flag that accepts the names, which its usage lists in place of %s.
func (c choices) register(cmd *cobra.Command, value *string, flag, standard, usage string) {
	cmd.Flags().StringVar(value, flag, standard, strings.Replace(usage, "%s", c.String(), 1))
	must(cmd.RegisterFlagCompletionFunc(flag, c.complete))
}

func (c choices) complete(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return c, cobra.ShellCompDirectiveNoFileComp
}

// unknown returns the error for a name that is not among the choices, with the one that was
// probably meant.
func (c choices) unknown(flag, name string) error {
	return invalid("flag --%s %q: expected one of %s%s", flag, name, c, experiments.DidYouMean(name, c.names()))
}

// wrong adds the exit code, and the name that was probably meant, to the error about a name.
func (c choices) wrong(flag, name string, err error) error {
	return invalid("flag --%s: %w%s", flag, err, experiments.DidYouMean(name, c.names()))
}

// completion returns the completions of a word that is being typed in a shell.
type completion = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// withCompletions registers shell completions for arguments and flag values that are names
// of files, cells, or amounts, and for a few lists; see [choices.register] for the others.
func withCompletions(root *cobra.Command) {
	flags := map[string]completion{
		"order":   completeOrders,
		"diagram": choices{"bdd", "zdd"}.complete,
		"forced":  choices{"off", "suggest", "place"}.complete,
		"place":   completeCells, "block": completeCells, "assume": completeCells,
		"sequence": choices{"all", "ends"}.complete,
		"memory":   choices{"512MiB", "1GiB", "2GiB", "4GiB", "8GiB"}.complete,
		"cnf":      completeFiles("cnf", "dimacs"), "opb": completeFiles("opb"), "diagram-file": completeFiles("bdd", "robdd", "zdd"),
		"diagrams": completeFolders, "out": completeFolders,
		"valid method": completeMethods,
	}
	words := map[string]completion{
		"explain": completeCells, "run": completeFiles("yaml", "yml"), "slurm": completeFiles("yaml", "yml"),
		"report": completeFolders, "rerun": completeFolders, "merge": completeFolders, "compare": completeFolders,
	}
	eachCommand(root, func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			complete := flags[f.Name]
			if f.Name == "method" {
				complete = flags[cmd.Name()+" method"]
			}
			if _, has := cmd.GetFlagCompletionFunc(f.Name); complete != nil && !has {
				must(cmd.RegisterFlagCompletionFunc(f.Name, complete))
			}
		})
		if complete := words[cmd.Name()]; complete != nil {
			cmd.ValidArgsFunction = complete
		}
	})
}

// eachCommand calls do for a command and all below it.
func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, sub := range cmd.Commands() {
		eachCommand(sub, do)
	}
}

func completeFiles(endings ...string) completion {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

func completeFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeMethods completes the methods of the named back-end, or of all back-ends.
func completeMethods(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	named, _ := cmd.Flags().GetString("backend")
	var methods []cobra.Completion
	for _, b := range choice.All() {
		for _, m := range b.Methods() {
			if named == "" || named == b.Name {
				methods = append(methods, cobra.CompletionWithDesc(m, "method of "+b.Name))
			}
		}
	}
	return methods, cobra.ShellCompDirectiveNoFileComp
}

// mostCompleted is the largest number of variables whose names are completed.
const mostCompleted = 1000

// completeCells completes the last item in a list of cells, or of other variables, of the
// problem named by the preceding flags.
func completeCells(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	n, _ := cmd.Flags().GetInt("size")
	name, _ := cmd.Flags().GetString("problem")
	if name == "" {
		name = encode.Families()[0].Name
	}
	family, err := encode.FamilyNamed(name)
	if err != nil || n < 1 || n*n > mostCompleted {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p, err := family.Build(n)
	if err != nil || p.NumVars() > mostCompleted {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	before, last := "", typed
	if i := strings.LastIndex(typed, ","); i >= 0 {
		before, last = typed[:i+1], typed[i+1:]
	}
	if rest, negative := strings.CutPrefix(last, "-"); negative {
		before, last = before+"-", rest
	}
	taken := strings.Split(strings.TrimSuffix(before, ","), ",")
	var names []cobra.Completion
	for i := range p.NumVars() {
		name := p.VarName(cnf.Var(i + 1))
		if strings.HasPrefix(name, last) && !slices.Contains(taken, name) {
			names = append(names, before+name)
		}
	}
	return names,
		cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
