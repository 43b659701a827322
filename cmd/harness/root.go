package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commands makes the commands, by name.
func commands() map[string]func() *cobra.Command {
	return map[string]func() *cobra.Command{
		"compile": newCompile, "count": newCount, "valid": newValid, "solve": newSolve, "encode": newEncode,
		"problem": newProblem, "explain": func() *cobra.Command { return bounded(newExplain()) }, "export": newExport,
		"order": newOrder, "run": newRun, "report": newReport, "docs": newDocs, "rerun": newRerun, runOneName: newRunOne,
		"merge": newMerge, "compare": newCompare, "play": newPlay, "serve": newServe, "submit": newSubmit,
		"manual": newManual,
	}
}

// newRoot assembles the command tree: of the command that a command line begins with alone, since
// every measured run is a start of the program; else of all commands.
func newRoot(line ...string) *cobra.Command {
	root := &cobra.Command{
		Use:           "harness",
		Short:         "Compare BDD and SAT on the N-queens problem",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	// cobra checks these groups too, but later, and without an exit code.
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkGroups(cmd); err != nil {
			return err
		}
		cmd.SetContext(withProgress(cmd.Context()))
		guarded(cmd)
		if cmd.Name() != "serve" { // which itself limits how long it waits for its clients
			context.AfterFunc(cmd.Context(), endLate)
		}
		return nil
	}
	root.SetVersionTemplate("{{.Version}}\n")
	cobra.AddTemplateFunc("wrapped", func(f *pflag.FlagSet) string { return f.FlagUsagesWrapped(widthOf(root.OutOrStdout())) })
	root.SetUsageTemplate(flagUsages.ReplaceAllString(root.UsageTemplate(), "(wrapped $1)"))
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	made := commands()
	if len(line) > 0 && made[line[0]] != nil {
		root.AddCommand(made[line[0]]())
		root.CompletionOptions.DisableDefaultCmd = true
	} else {
		root.Version = version()
		for _, name := range slices.Sorted(maps.Keys(made)) {
			root.AddCommand(made[name]())
		}
		root.InitDefaultHelpCmd()
		root.InitDefaultCompletionCmd()
	}
	eachCommand(root, func(cmd *cobra.Command) {
		if cmd.HasSubCommands() {
			group(cmd)
		}
		if cmd.Name() == "completion" {
			cmd.Long = "Generate the script that completes commands, flags and their values in a shell. In bash it needs the " +
				"package\nbash-completion (on Debian: apt install bash-completion, then a new shell)."
			for _, shell := range cmd.Commands() {
				shell.Args = args(cobra.NoArgs)
			}
		}
	})
	withExamples(root)
	withCompletions(root)
	return root
}

// flagUsages matches where cobra's help lists flags.
var flagUsages = regexp.MustCompile(`(\.(?:Local|Inherited)Flags)\.FlagUsages`)

// release is set by the linker in a release: -ldflags "-X main.release=v1.2.3", which works
// only with a package variable.
var release string

// version says which sources the binary was built from: its release, or what git or the
// module system reported when it was built, or else a hash of the binary, which tells one
// build from another.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	built := map[string]string{}
	for _, s := range info.Settings {
		built[s.Key] = s.Value
	}
	number := cmp.Or(release, info.Main.Version)
	switch revision := built["vcs.revision"]; {
	case release == "" && revision != "":
		if built["vcs.modified"] == "true" {
			revision += ", modified"
		}
		return fmt.Sprintf("harness %s (revision %s, %s)", number, revision, info.GoVersion)
	case number != "" && number != "(devel)": // a release, or go install
		return fmt.Sprintf("harness %s (%s)", number, info.GoVersion)
	}
	return fmt.Sprintf("harness build %s (revision unknown, %s)", ownHash(), info.GoVersion)
}

// ownHash returns the first 12 hex digits of the SHA-256 of the beginning of this program's file,
// which has the build ID, itself a hash of all that the program was built from.
func ownHash() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	file, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(file, 1<<20)); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(hash.Sum(nil))[:12]
}

// addJSON adds --json to a command that prints its report by [show].
func addJSON(cmd *cobra.Command) { cmd.Flags().Bool("json", false, "print one JSON object") }

// show prints a command's report: as one JSON object if --json is given, otherwise as text.
func show(cmd *cobra.Command, report any, text func(io.Writer) error) error {
	if asJSON, _ := cmd.Flags().GetBool("json"); !asJSON {
		return text(cmd.OutOrStdout())
	}
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}
