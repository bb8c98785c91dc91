package drbd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/internal/shell"
)

// patience bounds one command: creating the metadata of a large device takes a
// while.
const patience = 2 * time.Minute

// Command is a command of DRBD's tools.
func Command(argv ...string) assay.Cmd {
	return assay.Cmd{Argv: shell.Sbin(argv...), Env: []string{"LC_ALL=C"}, Timeout: patience}
}

// Ask runs a command on a host and returns what it printed.
func Ask(ctx context.Context, at assay.Place, argv ...string) ([]byte, error) {
	return Tell(ctx, at, strings.Join(argv[:min(2, len(argv))], " "), Command(argv...))
}

// Tell is Ask for a command made by Command; what names it in errors.
func Tell(ctx context.Context, at assay.Place, what string, c assay.Cmd) ([]byte, error) {
	out, err := at.Run(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", at.Host().Name, what, err)
	}
	if out.Exit == 0 {
		return out.Stdout, nil
	}
	host, said := at.Host().Name, oneline.Brief(complaint(out))
	switch {
	case out.Exit == 127:
		return nil, assay.WithHint("install drbd-utils there", "%s: %s: %w: %s", host, what, assay.ErrNoCommand, said)
	case strings.Contains(said, "ermission denied"), strings.Contains(said, "not permitted"):
		return nil, assay.WithHint("connect as root", "%s: %s: %s", host, what, said)
	}
	return nil, &Refusal{Host: host, What: what, Said: said, Exit: out.Exit}
}

// Refusal is the error of a command that exited with a status other than 0.
type Refusal struct {
	Host, What, Said string
	Exit             int
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: %s: exit %d: %s", r.Host, r.What, r.Exit, r.Said)
}

// Refused reports whether err is a Refusal whose message contains one of words.
func Refused(err error, words ...string) bool {
	var r *Refusal
	if !errors.As(err, &r) {
		return false
	}
	for _, w := range words {
		if strings.Contains(r.Said, w) {
			return true
		}
	}
	return false
}

// complaint returns the error message of a tool. drbdadm prints the command that it ran
// last, below the message of that command.
func complaint(out assay.Output) []byte {
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "Command '") && !strings.HasPrefix(line, "additional info from kernel:") {
			lines = append(lines, line)
		}
	}
	return []byte(strings.Join(lines[max(0, len(lines)-3):], ": "))
}
