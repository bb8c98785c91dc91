package bucket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"assay"
	"assay/stacks/s3/agent"
)

// errNoProgram means that a host has no directory from which programs may be
// run.
var errNoProgram = errors.New("no directory for executables")

// notRun is the error for an agent that cannot be started, or printed no reply.
type notRun struct {
	host string
	why  string
}

func (e *notRun) Error() string {
	return fmt.Sprintf("%s: the agent does not start: %s", e.host, e.why)
}

// ask has the agent in dir do a job. The job goes through stdin since it
// contains secrets.
func ask(ctx context.Context, at assay.Place, dir string, job agent.Job) (agent.Reply, error) {
	text, err := json.Marshal(job)
	if err != nil {
		return agent.Reply{}, err
	}
	host := at.Host().Name
	bound := job.Bound
	if bound == 0 {
		bound = time.Minute
	}
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{path.Join(dir, program), "agent"}, Stdin: text, Timeout: bound + 10*time.Second, Limit: assay.LongOutputLimit})
	if errors.Is(err, assay.ErrNoCommand) {
		return agent.Reply{}, &notRun{host, "it is not there"}
	}
	if err != nil && (ctx.Err() != nil || errors.Is(err, assay.ErrTimeout) || errors.Is(err, assay.ErrHostGone)) {
		return agent.Reply{}, fmt.Errorf("%s: agent (%s): %w", host, job.Do, err)
	}
	if err != nil {
		return agent.Reply{}, &notRun{host, err.Error()}
	}
	reply, _, ok := agent.ReadReply(out.Stdout)
	if !ok {
		return reply, &notRun{host, fmt.Sprintf("exit %d: %s", out.Exit, oneLine(out.Stderr))}
	}
	if reply.Failed != nil {
		return reply, assay.WithHint(reply.Failed.Hint, "%s", reply.Failed.Text)
	}
	return reply, nil
}

// look returns the agent's directory on the host, "" if there is none, and whether
// nothing was made from it yet.
func look(ctx context.Context, at assay.Place, name string) (dir string, untouched bool, err error) {
	out, err := onPlace(ctx, at, nil, time.Minute, "look", name, agent.Untouched)
	if err != nil {
		return "", false, err
	}
	if out.Exit != 0 {
		return "", false, fmt.Errorf("%s: look for %s: exit %d: %s", at.Host().Name, name, out.Exit, oneLine(out.Stderr))
	}
	for line := range strings.Lines(string(out.Stdout)) {
		word, found, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "dir" && dir == "" && path.Base(found) == name:
			dir = found
		case word == "mark" && dir != "" && found == dir:
			untouched = true
		}
	}
	return dir, untouched, nil
}

// clearAway removes the directory, and checks that it is gone.
func clearAway(ctx context.Context, at assay.Place, name string) error {
	out, err := onPlace(ctx, at, nil, 2*time.Minute, "remove", name)
	if err != nil {
		return err
	}
	if out.Exit != 0 {
		return assay.WithHint("remove it by hand, or run: assay cleanup", "%s: cannot remove directory %s: %s", at.Host().Name, name, oneLine(out.Stderr))
	}
	return nil
}

// oneLine returns a host's output as one line, short enough for an error.
func oneLine(b []byte) string {
	text := strings.Join(strings.Fields(string(b)), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return text
}
