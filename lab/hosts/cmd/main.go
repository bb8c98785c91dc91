package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"assay/lab/hosts"
	"assay/lab/internal/verbs"
)

const usage = `usage: go run ./lab/hosts/cmd [-dir DIR] [-n HOSTS] VERB

  up                        bring the hosts up, and switch on those that are off
  down                      remove everything
  status                    say which hosts there are, and how to reach them
  break HOST FAULT [ARG]    make something go wrong
  mend HOST FAULT [ARG]     undo it
  exec HOST COMMAND...      run a command as root in a host, without its network
  faults                    say what can go wrong

`

func main() {
	verbs.Main("lab", run)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags, dir := verbs.Flags("lab", usage, "where keys, configuration and disks lie")
	n := flags.Int("n", 4, "how many hosts to bring up")
	var words []string
	for len(args) > 0 { // flags may come before or right after the verb
		if err := flags.Parse(args); err != nil {
			return err
		}
		args = flags.Args()
		if len(args) > 0 && len(words) == 0 {
			words, args = args[:1], args[1:]
			continue
		}
		words, args = append(words, args...), nil
	}
	if len(words) == 0 {
		flags.Usage()
		return errors.New("no verb")
	}
	switch verb, rest := words[0], words[1:]; {
	case verb == "up" && len(rest) == 0:
		return up(ctx, *dir, *n, out)
	case verb == "down" && len(rest) == 0:
		return hosts.Down(ctx, *dir)
	case verb == "faults" && len(rest) == 0:
		return faults(out)
	case verb == "status" && len(rest) == 0:
		return with(*dir, func(l *hosts.Lab) error { return status(l, out) })
	case verb == "break" && len(rest) >= 2:
		return with(*dir, func(l *hosts.Lab) error { return l.Break(ctx, rest[0], hosts.Fault(rest[1]), rest[2:]...) })
	case verb == "mend" && len(rest) >= 2:
		return with(*dir, func(l *hosts.Lab) error { return l.Mend(ctx, rest[0], hosts.Fault(rest[1]), rest[2:]...) })
	case verb == "exec" && len(rest) >= 2:
		return with(*dir, func(l *hosts.Lab) error {
			text, err := l.Run(ctx, rest[0], rest[1:]...)
			fmt.Fprint(out, text)
			return err
		})
	}
	flags.Usage()
	return fmt.Errorf("cannot read %q", words)
}

func with(dir string, do func(*hosts.Lab) error) error {
	return verbs.With(dir, "lab", "go run ./lab/hosts/cmd up", hosts.Open, do)
}

func up(ctx context.Context, dir string, n int, out io.Writer) error {
	l, err := hosts.Up(ctx, dir, hosts.Standard(n))
	if err != nil {
		return err
	}
	return status(l, out)
}

func status(l *hosts.Lab, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "HOST\tSTATE\tMANAGEMENT\tSTORAGE\tRING\tLINK\tDISK\tSUDO\tSENSOR")
	alive := l.Alive()
	for _, h := range l.Hosts() {
		state := map[bool]string{true: "up", false: "off"}[alive[h.Name]]
		sudo := map[bool]string{true: "yes", false: "no"}[h.Sudo]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%g Gb/s\t%d MiB/s\t%s\t+%g K\n", h.Name, state,
			l.Address(h.Name, hosts.Management), l.Address(h.Name, hosts.Storage), l.Address(h.Name, hosts.Ring),
			h.Link/1e9, h.Disk.Rate>>20, sudo, h.Rise)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\ncluster  %s\nlog in   ssh -F %s %s\n", l.Cluster(), l.Config(), l.Names()[0])
	return err
}

func faults(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range hosts.Faults() {
		fmt.Fprintf(w, "%s %s\t%s\n", f.Fault, f.Arg, f.Says)
	}
	return w.Flush()
}
