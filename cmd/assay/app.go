package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"assay"
	"assay/internal/nearest"
	"assay/store"
)

// app is what all verbs share: the streams and the global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	format         string
	file           string // that -o names; "" is stdout
	db             string
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "How fast each layer of a machine really is, and whether the number can be true",
		Long: "assay benchmarks a machine, holds every number against physics and the kernel's\n" +
			"own counters, and says what to believe. Results go to stdout, progress and hints\n" +
			"to stderr.\n\n" + statusTable(),
		Example:           "  assay run                      benchmark this machine in five minutes\n  assay run --suite quick        a look with coreutils alone, in 90 seconds\n  assay report latest -o r.html  the last run as a web page",
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownWord(cmd, "command", args[0])
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.checkFormat(cmd) },
	}
	root.PersistentFlags().StringVar(&a.format, "format", formatText, "how to print: text, json or markdown, and where there are results: html or csv")
	root.PersistentFlags().StringVar(&a.db, "db", "", "database: a file, or postgres://… (default $ASSAY_DB, else a file in the user's data directory)")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		a.runCommand(), a.importCommand(), a.cleanupCommand(), a.versionCommand(), a.exportCommand(), a.anonymiseCommand(),
		a.pruneCommand(), a.pinCommand(), a.unpinCommand(), a.initCommand(), a.agentCommand(),
	)
	root.AddCommand(a.printing(
		a.planCommand(), a.showCommand(), a.runsCommand(), a.reportCommand(), a.auditCommand(), a.rulesCommand(),
		a.doctorCommand(), a.hostsCommand(), a.compareCommand(), a.gateCommand(), a.trendCommand(),
	)...)
	addHelp(root)
	return root
}

// flagError names the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	name, found := strings.CutPrefix(text, "unknown flag: --")
	if !found {
		hint := "see " + cmd.CommandPath() + " --help"
		if strings.Contains(text, "missing unit in duration") {
			hint = "give it a unit, as in 90s or 5m"
		}
		return usage(assay.WithHint(hint, "%s: %w", cmd.CommandPath(), err))
	}
	var flags []string
	collect := func(f *pflag.Flag) { flags = append(flags, f.Name) }
	cmd.Flags().VisitAll(collect)
	cmd.InheritedFlags().VisitAll(collect)
	hint := "see " + cmd.CommandPath() + " --help"
	if n := nearest.Name(name, flags); n != "" {
		hint = "did you mean --" + n + "?"
	}
	return usage(assay.WithHint(hint, "%s has no flag --%s", cmd.CommandPath(), name))
}

func didYouMean(word string, names []string) string {
	if n := nearest.Name(word, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return ""
}

// exactly is cobra's check for too many arguments, in assay's words and with its
// exit status.
func exactly(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) != nil {
			return usage(assay.WithHint("see "+cmd.CommandPath()+" --help", "%s: %q is one argument too many", cmd.CommandPath(), args[len(args)-1]))
		}
		return nil
	}
}

// database gives the path of the database, or its URL.
func (a *app) database() (string, error) {
	if a.db != "" {
		if store.HasPassword(a.db) {
			return "", usage(assay.WithHint("leave it out, and give it in PGPASSWORD, ~/.pgpass or a service (PGSERVICE), or the whole URL in ASSAY_DB",
				"--db has a password in it, or is no URL: what stands on a command line everybody on this machine can read"))
		}
		if info, err := os.Stat(a.db); err == nil && info.IsDir() {
			return "", usage(assay.WithHint("name a file in it: --db "+filepath.Join(a.db, "assay.db"), "database %s is a directory", a.db))
		}
		return a.db, nil
	}
	if p := os.Getenv("ASSAY_DB"); p != "" {
		return p, nil
	}
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", assay.WithHint("name one with --db FILE or ASSAY_DB", "no place for the database: %w", err)
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "assay", "assay.db"), nil
}

// terminal says whether w is a terminal, and how wide it is; 80 where not.
func terminal(w io.Writer) (width int, is bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 80, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 40 {
		return 80, true
	}
	return width, true
}

// colour says whether w should be coloured: a terminal, and NO_COLOR not set
// (no-color.org: any value but the empty one).
func colour(w io.Writer) bool {
	_, is := terminal(w)
	return is && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
