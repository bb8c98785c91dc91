package main

import (
	"context"
	"fmt"
	"io"

	"assay/lab/ceph"
	"assay/lab/internal/verbs"
)

const usage = `usage: go run ./lab/ceph/cmd [-dir DIR] [-n HOSTS] [-slow B/s] [-room BYTES] VERB

  up           bring hosts and Ceph up
  down         remove everything
  missing      say why there can be none on this machine, and fail; or nothing
  status       what ceph status says, and how to reach the hosts
  ceph WORD…   ask it something as client.admin
  stop HOST    kill the OSD of a host

`

func main() {
	verbs.Main("ceph", run)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags, dir := verbs.Flags("ceph", usage, "where state, configuration and disks lie")
	number := flags.Int("n", ceph.Standard.Hosts, "how many hosts to bring up")
	slow := flags.Int64("slow", 0, "what the last host's disk gives, in B/s (0: as much as the others)")
	room := flags.Int64("room", 0, "what each OSD holds, in bytes (0: 4 GiB)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	words := flags.Args()
	switch {
	case len(words) == 1 && words[0] == "up":
		l, err := ceph.Up(ctx, *dir, ceph.Options{Hosts: *number, Slow: *slow, Room: *room})
		if err != nil {
			return err
		}
		return status(ctx, l, out)
	case len(words) == 1 && words[0] == "missing":
		return ceph.Missing()
	case len(words) == 1 && words[0] == "down":
		return ceph.Down(ctx, *dir)
	case len(words) == 1 && words[0] == "status":
		return with(*dir, func(l *ceph.Lab) error { return status(ctx, l, out) })
	case len(words) == 2 && words[0] == "stop":
		return with(*dir, func(l *ceph.Lab) error { return l.StopOSD(ctx, words[1]) })
	case len(words) > 1 && words[0] == "ceph":
		return with(*dir, func(l *ceph.Lab) error { return ask(ctx, l, out, words[1:]...) })
	}
	flags.Usage()
	return fmt.Errorf("cannot read %q", words)
}

func with(dir string, do func(*ceph.Lab) error) error {
	return verbs.With(dir, "Ceph", "go run ./lab/ceph/cmd up", ceph.Open, do)
}

func ask(ctx context.Context, l *ceph.Lab, out io.Writer, words ...string) error {
	text, err := l.Ceph(ctx, words...)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(out, text)
	return err
}

func status(ctx context.Context, l *ceph.Lab, out io.Writer) error {
	if err := ask(ctx, l, out, "status"); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "cluster.yaml  %s\nssh           ssh -F %s %s\n", l.Cluster(), l.Hosts.Config(), l.Hosts.Names()[0])
	return err
}
