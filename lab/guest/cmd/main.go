package main

import (
	"context"
	"fmt"
	"io"

	"assay/lab/guest"
	"assay/lab/internal/verbs"
)

const usage = `usage: go run ./lab/guest/cmd [-dir DIR] VERB

  up           boot a guest with a disk of 1 GiB on each bus, say how to reach it,
               and keep it until this is interrupted
  missing      say why there can be none on this machine, and fail; or nothing

`

func main() {
	verbs.Main("guest", run)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags, dir := verbs.Flags("guest", usage, "where disks, keys and logs lie; it must not be there")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch words := flags.Args(); {
	case len(words) == 1 && words[0] == "up":
		return up(ctx, *dir, out)
	case len(words) == 1 && words[0] == "missing":
		return guest.Missing()
	default:
		flags.Usage()
		return fmt.Errorf("cannot read %q", words)
	}
}

func up(ctx context.Context, dir string, out io.Writer) error {
	var disks []guest.Disk
	for _, bus := range guest.Buses {
		disks = append(disks, guest.Disk{Bus: bus, Serial: "LAB" + string(bus), Bytes: 1 << 30})
	}
	g, err := guest.Up(ctx, dir, disks...)
	if err != nil {
		return err
	}
	for _, d := range disks {
		fmt.Fprintln(out, d.Link())
	}
	fmt.Fprintf(out, "\nssh -F %s %s\n", g.Config(), guest.Name)
	<-ctx.Done()
	return g.Down()
}
