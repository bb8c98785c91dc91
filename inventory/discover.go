package inventory

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
)

//go:embed facts.sh
var script []byte

// patience bounds the command: an idle machine needs a fraction of a second,
// one with a dead network mount or forty drives may need more.
const patience = 2 * time.Minute

// Discover queries a host for its facts, including those of the directories
// dirs (absolute paths) and the programs tools, with one read-only command. An
// unavailable fact is not an error: it is listed in Facts.Missing.
func Discover(ctx context.Context, at assay.Place, dirs, tools []string) (assay.Facts, error) {
	f, _, err := DiscoverAnd(ctx, at, dirs, tools, nil)
	return f, err
}

// DiscoverAnd is like Discover, but the same command also runs the script more,
// whose output it returns: a session on another host costs more than most
// queries. more must not read from its stdin. On Windows it does not run.
func DiscoverAnd(ctx context.Context, at assay.Place, dirs, tools []string, more []byte) (f assay.Facts, answer []byte, err error) {
	host := at.Host().Name
	if at.Host().OS == assay.Windows {
		f, err = discoverWindows(ctx, at, dirs, tools)
		return f, nil, err
	}
	dirs, tools = distinct(dirs), distinct(tools)
	if err := checkNames(dirs, tools); err != nil {
		return assay.Facts{}, nil, fmt.Errorf("host %s: %w", host, err)
	}
	argv := []string{"sh", "-s", "--", strconv.Itoa(len(dirs))}
	argv = append(argv, dirs...)
	argv = append(argv, tools...)
	sent := time.Now()
	out, err := at.Run(ctx, assay.Cmd{
		Argv:    argv,
		Env:     []string{"LC_ALL=C"},
		Stdin:   slices.Concat(script, more),
		Timeout: patience,
	})
	if errors.Is(err, assay.ErrTimeout) {
		return assay.Facts{}, nil, assay.WithHint(
			"check for a network mount whose server is down: 'df' hangs on it too",
			"host %s: asking for its facts: %w", host, err)
	}
	if err != nil {
		return assay.Facts{}, nil, err // err names the host
	}
	received := time.Now()
	if !out.Started.IsZero() && out.Started.Before(sent) { // recorded: use its times
		sent, received = out.Started, out.Started.Add(out.Elapsed)
	}
	facts, answer := cut(out.Stdout)
	if f, err = Parse(facts); err != nil {
		return assay.Facts{}, nil, fmt.Errorf("host %s: sh exited %d%s: %w", host, out.Exit, quoteLine(out.Stderr), err)
	}
	f.Host = host
	f.Clock = offset(facts, sent, received)
	if !out.Started.IsZero() {
		f.Taken = out.Started
	}
	return f, answer, nil
}

// cut splits the output of facts.sh from what came after it: no line of content
// looks like its last.
func cut(raw []byte) (facts, rest []byte) {
	for _, last := range []string{"\n@@ end\n", "\n@@ end\r\n"} {
		if i := bytes.Index(raw, []byte(last)); i >= 0 {
			return raw[:i+len(last)], raw[i+len(last):]
		}
	}
	return raw, nil
}

func checkNames(dirs, tools []string) error {
	for _, d := range dirs {
		if !path.IsAbs(d) {
			return assay.WithHint("give an absolute path", "directory %q is not absolute", d)
		}
		if strings.ContainsAny(d, "\n\r\x00") {
			return fmt.Errorf("directory name %q contains a line break", d)
		}
	}
	for _, t := range tools {
		if t == "" || strings.HasPrefix(t, "-") || strings.Trim(t, toolLetters) != "" {
			return fmt.Errorf("program name %q is not a plain name", t)
		}
	}
	return nil
}

const toolLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"

func distinct(words []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// quoteLine returns the first line of stderr for an error message.
func quoteLine(stderr []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(stderr), []byte("\n"))
	if len(line) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", line)
}
