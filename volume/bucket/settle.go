package bucket

import (
	"context"
	_ "embed" // the script
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/removal"
	"assay/stacks/s3/agent"
)

//go:embed place.sh
var script string

// Exit codes of the script that give a reason.
const (
	exitNowhere = 3
	exitTaken   = 4
)

// program is the agent's name in its directory.
const program = "assay"

// onPlace runs the script on the host.
func onPlace(ctx context.Context, at assay.Place, stdin []byte, bound time.Duration, words ...string) (assay.Output, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: append([]string{"sh", "-c", removal.Script + script, "assay"}, words...), Stdin: stdin, Timeout: bound})
	if err != nil {
		return out, fmt.Errorf("%s: agent's directory: %w", at.Host().Name, err)
	}
	return out, nil
}

// settle makes the directory on the host, with an empty file called mark unless mark
// is "", and puts the agent into it.
func (v *Volume) settle(ctx context.Context, at assay.Place, name, mark string) (dir string, err error) {
	host := at.Host().Name
	room := v.binaries.largest()>>10 + 16<<10 // plus what the agent stores
	out, err := onPlace(ctx, at, nil, time.Minute, "make", name, strconv.FormatInt(room, 10), mark)
	if err != nil {
		return "", err
	}
	switch out.Exit {
	case 0:
	case exitTaken:
		return "", assay.WithHint("run: assay cleanup", "%s: directory %s is %w", host, name, assay.ErrBusy)
	case exitNowhere:
		return "", assay.WithHint("provide about 100 MiB in /dev/shm, /tmp or the home directory, on a file system mounted without noexec",
			"%s has %w: %s", host, errNoProgram, oneLine(out.Stderr))
	default:
		return "", fmt.Errorf("%s: create the agent's directory: exit %d: %s", host, out.Exit, oneLine(out.Stderr))
	}
	said := map[string]string{}
	for line := range strings.Lines(string(out.Stdout)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		said[key] = value
	}
	dir = said["dir"]
	if path.Base(dir) != name || !path.IsAbs(dir) {
		return "", fmt.Errorf("%s: create the agent's directory: %w", host, assay.ErrNoOutput)
	}
	b, err := v.binaries.fit(said["system"], said["arch"])
	if err != nil {
		return "", fmt.Errorf("%s: %w", host, err)
	}
	return dir, push(ctx, at, dir, b, said["gzip"] == "yes")
}

// push sends the agent, and checks that it arrived intact.
func push(ctx context.Context, at assay.Place, dir string, b *binary, gzip bool) error {
	host := at.Host().Name
	stdin, form := b.plain, "plain"
	if gzip {
		stdin, form = b.packed, "gzip"
	}
	out, err := onPlace(ctx, at, stdin, 10*time.Minute, "push", dir, form)
	if err != nil {
		return err
	}
	if out.Exit != 0 {
		return fmt.Errorf("%s: push the agent to %s: %s", host, dir, oneLine(out.Stderr))
	}
	reply, err := ask(ctx, at, dir, agent.Job{Do: agent.Hello})
	if err != nil {
		return err
	}
	if reply.SHA256 != b.sha256 {
		return fmt.Errorf("%s: the agent was damaged in transfer: SHA-256 %.12s, want %.12s", host, reply.SHA256, b.sha256)
	}
	return nil
}
