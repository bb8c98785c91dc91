package verbs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"assay"
)

// Main runs a command with this program's arguments, and exits.
func Main(name string, run func(ctx context.Context, args []string, out io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, name+":", err)
	if hint := assay.Hint(err); hint != "" {
		fmt.Fprintln(os.Stderr, "hint:", hint)
	}
	stop()
	os.Exit(1) //nolint:gocritic // stop was called
}

// Flags returns a command's flag set with -dir, the directory of the lab. holds is its
// usage text.
func Flags(name, usage, holds string) (flags *flag.FlagSet, dir *string) {
	flags = flag.NewFlagSet(name, flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	return flags, flags.String("dir", filepath.Join(os.TempDir(), "assay-"+name), holds)
}

// With opens the lab in dir and calls do with it. If there is none, what names
// the missing lab, and up is the hint for how to bring it up.
func With[L any](dir, what, up string, open func(dir string) (L, error), do func(L) error) error {
	l, err := open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return assay.WithHint(up, "no %s is in %s", what, dir)
	}
	if err != nil {
		return err
	}
	return do(l)
}
