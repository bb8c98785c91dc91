package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/lab/internal/verbs"
	"assay/lab/kube"
)

const usage = `usage: go run ./lab/kube/cmd [-dir DIR] [-n NODES] VERB

  up                    bring the cluster up, and start what is off
  down                  remove everything
  missing               say why there can be none on this machine, and fail; or
                        nothing
  status                say what there is, and how to reach it
  user NAME [GROUP…]    make a kubeconfig for a user, and print its path
  stop HOST SERVICE     end a service: kubelet or containerd of a node, or
                        etcd, kube-apiserver, … of control
  start HOST SERVICE    start it again
  drain NODE            take no pod any more, and evict those that are there
  undrain NODE          take pods again
  cut HOST              reset the connections to a node's kubelet: exec, logs;
                        those to the API server for control
  run HOST COMMAND…     run a command as root inside a host

`

func main() {
	verbs.Main("kube", run)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags, dir := verbs.Flags("kube", usage, "where state, credentials, logs and disks lie")
	nodes := flags.Int("n", kube.Standard.Nodes, "how many nodes to bring up")
	if err := flags.Parse(args); err != nil {
		return err
	}
	words := append(flags.Args(), "", "", "")[:3]
	count := flags.NArg()
	with := func(do func(*kube.Lab) error) error {
		return verbs.With(*dir, "Kubernetes", "go run ./lab/kube/cmd up", kube.Open, do)
	}
	switch verb := words[0]; {
	case count == 1 && verb == "up":
		l, err := kube.Up(ctx, *dir, kube.Options{Nodes: *nodes})
		if err != nil {
			return err
		}
		return status(ctx, l, out)
	case count == 1 && verb == "missing":
		return kube.Missing()
	case count == 1 && verb == "down":
		return kube.Down(ctx, *dir)
	case count == 1 && verb == "status":
		return with(func(l *kube.Lab) error { return status(ctx, l, out) })
	case count >= 2 && verb == "user":
		return with(func(l *kube.Lab) error {
			file, err := l.User(words[1], flags.Args()[2:]...)
			if err == nil {
				fmt.Fprintln(out, file)
			}
			return err
		})
	case count == 3 && verb == "stop":
		return with(func(l *kube.Lab) error { return l.Stop(ctx, words[1], words[2]) })
	case count == 3 && verb == "start":
		return with(func(l *kube.Lab) error { return l.Start(ctx, words[1], words[2]) })
	case count == 2 && verb == "drain":
		return with(func(l *kube.Lab) error { return l.Drain(ctx, words[1]) })
	case count == 2 && verb == "undrain":
		return with(func(l *kube.Lab) error { return l.Undrain(ctx, words[1]) })
	case count == 2 && verb == "cut":
		return with(func(l *kube.Lab) error { return l.CutStreams(ctx, words[1]) })
	case count >= 3 && verb == "run":
		return with(func(l *kube.Lab) error {
			said, err := l.Run(ctx, words[1], flags.Args()[2:]...)
			fmt.Fprint(out, said)
			return err
		})
	}
	flags.Usage()
	return fmt.Errorf("cannot read %q", flags.Args())
}

// status prints which services run on each host.
func status(ctx context.Context, l *kube.Lab, out io.Writer) error {
	on := l.Hosts()
	for _, host := range append([]string{kube.Control}, l.Nodes()...) {
		if !on[host] {
			fmt.Fprintf(out, "%-8s off\n", host)
			continue
		}
		alive, err := l.Alive(ctx, host)
		if err != nil {
			return err
		}
		var all []string
		for _, service := range kube.Services(host) {
			if !slices.Contains(alive, service) {
				service += " (off)"
			}
			all = append(all, service)
		}
		fmt.Fprintf(out, "%-8s %-12s %s\n", host, l.Address(host), strings.Join(all, ", "))
	}
	_, err := fmt.Fprintf(out, "\nexport KUBECONFIG=%s\nkubectl is in %s\n", l.Kubeconfig(), kube.Programs())
	return err
}
