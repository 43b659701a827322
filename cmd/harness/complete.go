package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"queens/backends/bdd"
	"queens/backends/bdd/robdd"
	"queens/backends/local"
	"queens/backends/registry"
	"queens/configure/engines"
	"queens/encode"
	"queens/encode/amo"
	"queens/encode/cnf"
	uiterm "queens/ui/term"
)

// completion returns the completions of a word that is being typed in a shell.
type completion = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

// withCompletions registers shell completions for arguments and flag values that are names
// or files. The names come from the lists that the program itself uses.
func withCompletions(root *cobra.Command) {
	flags := map[string]completion{
		"order": completeOrders, "order-file": completeFiles("order", "txt"),
		"construction": completeConstructions, "amo": completeNames(encodings()...),
		"diagram": completeNames(robdd.BDD.String(), robdd.ZDD.String()), "format": completeFormats,
		"init": completeNames(texts(local.Inits())...), "forced": completeNames("off", "suggest", "place"),
		"place": completeCells, "block": completeCells, "assume": completeCells,
		"problem": completeFamilies, "lecture": completeNames(uiterm.Lectures()...),
		"sequence": completeNames("all", "ends"),
		"memory":   completeNames("512MiB", "1GiB", "2GiB", "4GiB", "8GiB"),
		"backend":  completeNames(engines.Names()...), // for play; other commands register their own
		"cnf":      completeFiles("cnf", "dimacs"), "diagram-file": completeFiles("bdd", "robdd", "zdd"),
		"diagrams": completeFolders, "out": completeFolders,
	}
	methods := map[string]completion{
		"valid": completeMethods, "solve": completeNames(slices.Concat(texts(local.Methods()), exactMethods())...),
		"prove": completeNames("sets", "tables"), "bound": completeNames("cell", "levels"),
	}
	words := map[string]completion{
		"explain": completeCells, "run": completeFiles("yaml", "yml"), "slurm": completeFiles("yaml", "yml"),
		"report": completeFolders, "rerun": completeFolders, "merge": completeFolders, "compare": completeFolders,
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			complete := flags[f.Name]
			if f.Name == "method" {
				complete = methods[cmd.Name()]
			}
			if _, has := cmd.GetFlagCompletionFunc(f.Name); complete != nil && !has {
				must(cmd.RegisterFlagCompletionFunc(f.Name, complete))
			}
		})
		if complete := words[cmd.Name()]; complete != nil {
			cmd.ValidArgsFunction = complete
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

func completeNames(names ...string) completion {
	return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
}

func completeFiles(endings ...string) completion {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

func completeFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func completeConstructions(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, c := range bdd.Constructions() {
		names = append(names, cobra.CompletionWithDesc(c.Name, c.Reason))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func completeFamilies(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, f := range encode.Families() {
		names = append(names, cobra.CompletionWithDesc(f.Name, f.Doc))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func completeFormats(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	for _, f := range robdd.Formats() {
		names = append(names, string(f))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func encodings() []string {
	var names []string
	for _, e := range amo.All() {
		names = append(names, e.Name)
	}
	return names
}

// completeMethods completes the methods of the named back-end, or of all back-ends.
func completeMethods(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	named, _ := cmd.Flags().GetString("backend")
	var methods []cobra.Completion
	for _, b := range registry.All() {
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
