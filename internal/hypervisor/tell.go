// Package hypervisor runs hypervisor tools (virsh, qm, pvesm) on a host, and explains their
// errors.
package hypervisor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
)

// Patience bounds one command: allocating a large volume takes minutes.
const Patience = 10 * time.Minute

// Trouble is a tool's message, the error it means and what to do.
type Trouble struct {
	Said string // case-insensitive
	Is   error  // nil: no assay error
	Hint string
}

// Tell runs a command and returns what it printed. A failure is explained by the first
// matching trouble, with names replaced in its text. A command without a timeout gets
// Patience.
func Tell(ctx context.Context, at assay.Place, troubles []Trouble, names *strings.Replacer, c assay.Cmd) (string, error) {
	if c.Timeout == 0 {
		c.Timeout = Patience
	}
	what := c.Argv[0] + " " + subcommand(c.Argv)
	out, err := at.Run(ctx, c)
	switch {
	case errors.Is(err, assay.ErrNoCommand):
		return "", fmt.Errorf("hypervisor %s has no %s: %w", at.Host().Name, c.Argv[0], err)
	case err != nil:
		return "", fmt.Errorf("%s on %s: %w", what, at.Host().Name, err)
	case out.Exit == 0:
		return string(out.Stdout), nil
	}
	said := complaint(out)
	for _, t := range troubles {
		if !strings.Contains(strings.ToLower(said), strings.ToLower(names.Replace(t.Said))) {
			continue
		}
		hint := names.Replace(t.Hint)
		if t.Is != nil {
			return "", assay.WithHint(hint, "%s on %s: %w: %s", what, at.Host().Name, t.Is, said)
		}
		return "", assay.WithHint(hint, "%s on %s: %s", what, at.Host().Name, said)
	}
	return "", fmt.Errorf("%s on %s exited %d: %s", what, at.Host().Name, out.Exit, said)
}

// subcommand returns that of a tool that may have options before it.
func subcommand(argv []string) string {
	for i := 1; i < len(argv); i++ {
		switch {
		case argv[i] == "-c":
			i++
		case !strings.HasPrefix(argv[i], "-"):
			return argv[i]
		}
	}
	return ""
}

// complaint returns a tool's error message on one line, without usage text.
func complaint(out assay.Output) string {
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "error: ")
		if strings.HasPrefix(line, "400 Parameter verification failed") || strings.HasSuffix(line, "[OPTIONS]") {
			continue
		}
		lines = append(lines, line)
	}
	said := strings.Join(lines[max(0, len(lines)-3):], ": ")
	return said[:min(len(said), 400)]
}
