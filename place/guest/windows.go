package guest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/place/remote"
)

// Windows runs commands in a Windows guest. No shell is involved: the agent starts the program
// with these arguments, each quoted as Windows programs split them.
//
// Output arrives when the command ends and up to a second late, at most 16 MiB per stream, 3
// MiB in all if libvirt forwards it; Cmd.OnStdout gets it all at once. Cmd.Timeout is enforced
// here and not in the guest: a command that cannot be killed, because the connection was lost,
// runs to its own end. There are no locales and no marks; Cmd.Env can hold LC_ALL alone.
type Windows struct{ way }

// NewWindows returns the place. The agent is first contacted when the first
// command runs.
func NewWindows(host assay.Host, o Options) *Windows {
	host.OS = assay.Windows
	return &Windows{way{host: host, options: o}}
}

const (
	// inputLimit is the limit of a command's stdin, in bytes.
	inputLimit = pieceLimit
	// endTime limits how long killing a command may take.
	endTime = 20 * time.Second
	// statusLimit is room for two streams of 16 MiB in base64.
	statusLimit = 48 << 20
)

// Run runs c in the guest. Beyond the errors of every place, its errors wrap
// assay.ErrHostGone if the guest is off or its agent does not answer.
func (w *Windows) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	if err := windowsCan(c); err != nil {
		return assay.Output{}, fmt.Errorf("host %s: %w", w.host.Name, err)
	}
	if c.Gate != nil {
		select {
		case <-c.Gate():
		case <-ctx.Done():
			return assay.Output{}, ctx.Err()
		}
	}
	began := time.Now()
	// The pid must be known, so that the process can be killed.
	pid, err := w.begin(context.WithoutCancel(ctx), c)
	if err != nil {
		return assay.Output{}, err
	}
	end, why := w.await(ctx, c, pid)
	out := assay.Output{Started: began, Elapsed: time.Since(began), Stdout: end.out, Stderr: end.errs, Exit: end.exit}
	if c.OnStdout != nil && len(out.Stdout) > 0 {
		c.OnStdout(out.Stdout)
	}
	if most := c.PrintLimit(); why == nil && (end.truncated || len(out.Stdout) > most || len(out.Stderr) > most) {
		out.Stdout, out.Stderr = out.Stdout[:min(most, len(out.Stdout))], out.Stderr[:min(most, len(out.Stderr))]
		why = fmt.Errorf("%s on %s: %w (%d MiB)", c.Argv[0], w.host.Name, assay.ErrTooLong, most>>20)
	}
	return out, why
}

// windowsCan returns an error if c cannot be run.
func windowsCan(c assay.Cmd) error {
	switch {
	case len(c.Argv) == 0:
		return errors.New("no command was given")
	case slices.ContainsFunc(c.Argv, func(word string) bool { return strings.Contains(word, "\x00") }):
		return fmt.Errorf("%s: an argument contains a zero byte", c.Argv[0])
	case len(c.Stdin) > inputLimit:
		return fmt.Errorf("%s: %d KiB of input are more than the guest agent is given (%d KiB)", c.Argv[0], len(c.Stdin)>>10, inputLimit>>10)
	}
	for _, e := range c.Env {
		// The value may be a secret, so it is not in the error.
		if name, _, _ := strings.Cut(e, "="); name != "LC_ALL" {
			return fmt.Errorf("%s: cannot set the variable %q in a Windows guest", c.Argv[0], name)
		}
	}
	return nil
}

// begin starts the command.
func (w *Windows) begin(ctx context.Context, c assay.Cmd) (pid int, err error) {
	out, err := w.ask(ctx, w.options.Agent.exec(c.Argv, c.Stdin))
	if err != nil {
		return 0, err
	}
	said := strings.ToLower(string(out.Stderr) + string(out.Stdout))
	if strings.Contains(said, "failed to execute child process") && strings.Contains(said, "no such file") {
		return 0, assay.WithHint(w.host.Name+" runs Windows: the program must be on the PATH that its guest agent was started with",
			"%s on %s: %w", c.Argv[0], w.host.Name, assay.ErrNoCommand)
	}
	if pid, err = w.options.Agent.pid(out); err != nil {
		return 0, fmt.Errorf("host %s: %w", w.host.Name, err)
	}
	return pid, nil
}

// await polls the process until it ends, or is killed for a reason.
func (w *Windows) await(ctx context.Context, c assay.Cmd, pid int) (end state, why error) {
	var late <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		late = timer.C
	}
	heard := time.Now()
	for pause := shortPause; ; pause = min(pause*3/2, longPause) {
		now, err := w.status(context.WithoutCancel(ctx), pid)
		switch {
		case err == nil && now.over:
			return now, nil
		case err == nil:
			heard = time.Now()
		case errors.Is(err, remote.ErrLost), errors.Is(err, assay.ErrTooLong):
			return state{}, fmt.Errorf("host %s: %w while %s ran", w.host.Name, err, c.Argv[0])
		case time.Since(heard) > unheard:
			return state{}, assay.WithHint("it may still run there, to its own end",
				"host %s: %w while %s ran: %w", w.host.Name, remote.ErrLost, c.Argv[0], err)
		}
		next := time.NewTimer(pause)
		select {
		case <-next.C:
			continue
		case <-ctx.Done():
			why = ctx.Err()
		case <-late:
			why = fmt.Errorf("%s on %s: %w of %s", c.Argv[0], w.host.Name, assay.ErrTimeout, c.Timeout)
		}
		next.Stop()
		end, err = w.end(pid)
		if err != nil {
			why = assay.WithHint("end it in the guest: taskkill /F /T /PID "+strconv.Itoa(pid), "%w; %s may still run on %s: %w", why, c.Argv[0], w.host.Name, err)
		}
		return end, why
	}
}

// status polls once. If the agent does not know the process, it has restarted, most likely
// with its guest.
func (w *Windows) status(ctx context.Context, pid int) (state, error) {
	question := w.options.Agent.status(pid)
	question.Limit = statusLimit
	out, err := w.ask(ctx, question)
	if err != nil {
		return state{}, err
	}
	said := strings.ToLower(string(out.Stderr))
	switch {
	case strings.Contains(said, "pid "+strconv.Itoa(pid)+" does not exist"), strings.Contains(said, "invalid parameter 'pid'"):
		return state{}, fmt.Errorf("%w: the guest or its agent restarted", remote.ErrLost)
	case strings.Contains(said, "unable to encode message payload"), strings.Contains(said, "no complete agent response"):
		// REMOTE_STRING_MAX and QEMU_AGENT_MAX_RESPONSE: 4 and 10 MiB, in base64.
		return state{}, fmt.Errorf("%w: libvirt passes on 3 MiB", assay.ErrTooLong)
	}
	return w.options.Agent.look(out)
}

// end kills the process and everything it started, and waits for that.
func (w *Windows) end(pid int) (state, error) {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	killed, err := w.program(ctx, []string{"taskkill.exe", "/F", "/T", "/PID", strconv.Itoa(pid)}, nil, func(state) bool { return true })
	for pause := shortPause; ; pause = min(2*pause, longPause) {
		now, failure := w.status(ctx, pid)
		switch {
		case failure == nil && now.over:
			return now, nil
		case err != nil:
			return state{}, err
		case killed.exit != 0:
			return state{}, fmt.Errorf("taskkill exited %d: %.200q", killed.exit, strings.TrimSpace(string(killed.errs)))
		case failure != nil:
			return state{}, failure
		}
		if err := sleep.For(ctx, pause); err != nil {
			return state{}, err
		}
	}
}
