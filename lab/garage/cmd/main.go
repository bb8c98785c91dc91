package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay/lab/garage"
	"assay/lab/internal/verbs"
)

const usage = `usage: go run ./lab/garage/cmd [-dir DIR] [-n NODES] [-replication COPIES] VERB

  up           bring the nodes up, and start those that are off
  down         remove everything
  missing      say why there can be none on this machine, and fail; or nothing
  status       say which nodes there are, and how to reach them
  stop NODE    end a node as a power cut does
  key BUCKET   make a bucket and a key for it; the secret is printed

`

func main() {
	verbs.Main("garage", run)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags, dir := verbs.Flags("garage", usage, "where state, configuration and data lie")
	nodes := flags.Int("n", garage.Standard.Nodes, "how many nodes to bring up")
	host := flags.String("host", "", "which address of this machine to listen on (127.0.0.1)")
	copies := flags.Int("replication", garage.Standard.Replication, "how many copies there are of each object")
	if err := flags.Parse(args); err != nil {
		return err
	}
	words := flags.Args()
	switch {
	case len(words) == 1 && words[0] == "up":
		l, err := garage.Up(ctx, *dir, garage.Options{Nodes: *nodes, Replication: *copies, Host: *host})
		if err != nil {
			return err
		}
		return status(l, out)
	case len(words) == 1 && words[0] == "missing":
		return garage.Missing()
	case len(words) == 1 && words[0] == "down":
		return garage.Down(ctx, *dir)
	case len(words) == 1 && words[0] == "status":
		return with(*dir, func(l *garage.Lab) error { return status(l, out) })
	case len(words) == 2 && words[0] == "stop":
		return with(*dir, func(l *garage.Lab) error { return l.Stop(ctx, words[1]) })
	case len(words) == 2 && words[0] == "key":
		return with(*dir, func(l *garage.Lab) error { return bucket(ctx, l, words[1], out) })
	}
	flags.Usage()
	return fmt.Errorf("cannot read %q", words)
}

func with(dir string, do func(*garage.Lab) error) error {
	return verbs.With(dir, "Garage", "go run ./lab/garage/cmd up", garage.Open, do)
}

func status(l *garage.Lab, out io.Writer) error {
	alive := l.Alive()
	names := l.Names()
	for i, endpoint := range l.Endpoints() {
		state := map[bool]string{true: "up", false: "off"}[alive[names[i]]]
		fmt.Fprintf(out, "%s  %-3s  %s\n", names[i], state, endpoint)
	}
	admin, _ := l.Admin()
	_, err := fmt.Fprintf(out, "\nregion  %s\nadmin   %s (the token is in %s)\n", garage.Region, admin, l.Dir)
	return err
}

// bucket creates a bucket and prints its key as environment variables that S3
// clients read.
func bucket(ctx context.Context, l *garage.Lab, name string, out io.Writer) error {
	k, err := l.NewKey(ctx, name)
	if err != nil {
		return err
	}
	if _, err := l.NewBucket(ctx, name, k); err != nil {
		return errors.Join(err, l.DeleteKey(ctx, k))
	}
	_, err = fmt.Fprintf(out, "export AWS_ENDPOINT_URL=%s AWS_REGION=%s AWS_ACCESS_KEY_ID=%s AWS_SECRET_ACCESS_KEY=%s\n",
		l.Endpoints()[0], garage.Region, k.ID, k.Secret)
	return err
}
