package main

import (
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
	stdout, stderr stream
	format         string
	file           string // that -o names; "" is stdout
	db             string
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{stdin: stdin, stdout: stream{stdout}, stderr: stream{stderr}}
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "Benchmark CPU, memory, storage and network, and check that the numbers are plausible",
		Long: "assay benchmarks a machine, checks every number against physics and the kernel's\n" +
			"own counters, and says which to believe. Results go to stdout, progress and\n" +
			"hints to stderr.\n\n" + statusTable(),
		Example:           "  assay run                      benchmark this machine in five minutes\n  assay run --suite quick        a quick look in 90 seconds, with coreutils only\n  assay report latest -o r.html  write the last run as a web page",
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
	root.PersistentFlags().StringVar(&a.format, "format", formatText, "output format: text, json or markdown; commands that print results also take html and csv")
	root.PersistentFlags().StringVar(&a.db, "db", "", "database: a file or a postgres:// URL (default $ASSAY_DB, else assay/assay.db in $XDG_DATA_HOME or ~/.local/share)")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		a.runCommand(), a.importCommand(), a.cleanupCommand(), a.versionCommand(), a.licencesCommand(), a.exportCommand(), a.anonymiseCommand(),
		a.pruneCommand(), a.pinCommand(), a.unpinCommand(), a.noteCommand(), a.suiteCommand(), a.initCommand(), a.agentCommand(), a.alertsCommand(), a.watchCommand(),
	)
	root.AddCommand(a.printing(
		a.planCommand(), a.showCommand(), a.runsCommand(), a.reportCommand(), a.auditCommand(), a.rulesCommand(),
		a.doctorCommand(), a.diagnoseCommand(), a.hostsCommand(), a.compareCommand(), a.gateCommand(), a.trendCommand(), a.predictCommand(),
	)...)
	a.completions(root)
	addHelp(root)
	return root
}

// flagError suggests the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	name, found := strings.CutPrefix(text, "unknown flag: --")
	if !found {
		hint := "see " + cmd.CommandPath() + " --help"
		if strings.Contains(text, "missing unit in duration") {
			hint = "add a unit, for example 90s or 5m"
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

// exactly is cobra's check for too many arguments, with assay's message and exit
// status.
func exactly(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) != nil {
			return usage(assay.WithHint("see "+cmd.CommandPath()+" --help", "%s: unexpected argument %q", cmd.CommandPath(), args[len(args)-1]))
		}
		return nil
	}
}

// database returns the path of the database, or its URL.
func (a *app) database() (string, error) {
	if a.db != "" {
		if store.HasPassword(a.db) {
			return "", usage(assay.WithHint("put the password in PGPASSWORD, ~/.pgpass or a service (PGSERVICE), or the whole URL in ASSAY_DB",
				"--db contains a password or is not a valid URL; everyone on this machine can read a command line"))
		}
		if info, err := os.Stat(a.db); err == nil && info.IsDir() {
			return "", usage(assay.WithHint("give a file in it: --db "+filepath.Join(a.db, "assay.db"), "database %s is a directory", a.db))
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
			return "", assay.WithHint("give one with --db FILE or ASSAY_DB", "no location for the database: %w", err)
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "assay", "assay.db"), nil
}

// terminal reports whether w is a terminal, and its width; 80 if that is unknown.
func terminal(w io.Writer) (width int, is bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 80, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		return 80, true
	}
	return width, true
}

// colour reports whether w should be coloured: a terminal, and NO_COLOR not set
// (no-color.org: any value but the empty one).
func colour(w io.Writer) bool {
	_, is := terminal(w)
	return is && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
