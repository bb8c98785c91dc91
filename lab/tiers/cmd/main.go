package main

import (
	"context"
	"fmt"
	"io"

	"assay/lab/internal/verbs"
	"assay/lab/tiers"
)

const usage = `usage: go run ./lab/tiers/cmd [-dir DIR] VERB

  up        bring everything up, and start what is off
  down      remove everything
  status    say how to reach it
  missing   say why there can be none on this machine, and fail; or nothing

`

func main() { verbs.Main("tiers", run) }

func run(ctx context.Context, args []string, out io.Writer) error {
	flags, dir := verbs.Flags("tiers", usage, "where state, credentials and disks lie")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 1 {
		switch flags.Arg(0) {
		case "up":
			l, err := tiers.Up(ctx, *dir)
			if err != nil {
				return err
			}
			return status(l, out)
		case "down":
			return tiers.Down(ctx, *dir)
		case "status":
			return verbs.With(*dir, "lab of tiers", "go run ./lab/tiers/cmd up", tiers.Open, func(l *tiers.Lab) error { return status(l, out) })
		case "missing":
			return tiers.Missing()
		}
	}
	flags.Usage()
	return fmt.Errorf("cannot read %q", flags.Args())
}

func status(l *tiers.Lab, out io.Writer) error {
	admin, _ := l.Garage.Admin()
	_, err := fmt.Fprintf(out, "cluster     %s\nkubeconfig  %s\ngarage      %s (admin API %s)\n",
		l.Cluster(), l.Kube.Kubeconfig(), l.Garage.Endpoints()[0], admin)
	return err
}
