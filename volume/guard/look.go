package guard

import (
	"context"
	_ "embed" // for look.sh
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

//go:embed look.sh
var lookScript string

// Look asks a host about a block device. It writes nothing to it.
func Look(ctx context.Context, at assay.Place, path string) (Facts, error) {
	return look(ctx, at, path, newSeed())
}

func newSeed() uint64 { return rand.Uint64() } //nolint:gosec // random, not a secret

// look asks about a block device and takes the samples of seed.
func look(ctx context.Context, at assay.Place, path string, seed uint64) (Facts, error) {
	f, err := ask(ctx, at, path)
	if err != nil {
		return f, err
	}
	return f, f.examine(ctx, at, seed)
}

// ask returns what a host reports about a block device, without reading its
// contents.
func ask(ctx context.Context, at assay.Place, path string) (Facts, error) {
	return askOf(ctx, at, path, false)
}

// askOf is ask for a device that we may hold ourselves: then nobody else does.
func askOf(ctx context.Context, at assay.Place, path string, held bool) (Facts, error) {
	argv := []string{"sh", "-s", "--", path}
	if held {
		argv = append(argv, "held")
	}
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Stdin: []byte(lookScript), Timeout: time.Minute})
	if err != nil {
		return Facts{}, fmt.Errorf("examine block device %s on %s: %w", path, at.Host().Name, err)
	}
	f, err := ParseFacts(path, out.Stdout)
	if err != nil {
		return f, fmt.Errorf("on %s: %w: %s", at.Host().Name, err, strings.TrimSpace(string(out.Stderr)))
	}
	return f, nil
}

// examine adds what is on the device, if there is one: it takes the samples of
// seed.
func (f *Facts) examine(ctx context.Context, at assay.Place, seed uint64) error {
	if f.Absent || f.Other || f.Bytes == 0 {
		return nil
	}
	all := spans(f.Bytes, seed)
	parts, err := read(ctx, at, f.Path, all)
	if err != nil {
		return err
	}
	f.seed = seed
	f.judge(all, parts)
	m, marked := readMark(parts[0])
	if !marked {
		return nil
	}
	if parts, err = read(ctx, at, f.Path, spans(f.Bytes, m.seed)); err != nil {
		return err
	}
	f.Own = sumOf(parts) == m.sum
	f.Since = !f.Own
	return nil
}

// usersScript prints the number of the device $1 in hexadecimal, as major and minor,
// and the targets of all open files. ls exits with 1 or 2 if a process ended
// meanwhile, or may not be inspected.
const usersScript = `LC_ALL=C; export LC_ALL
stat -L -c '%t %T' "$1" 2>/dev/null || echo
ls -lnL /proc/[0-9]*/fd/ 2>/dev/null; :`

// InUse returns the ids of the visible processes that have a device open: in a
// pod, those of the pod. They are found by the device's number, whatever name
// they opened. If the device is gone, there are none.
func InUse(ctx context.Context, at assay.Place, path string) ([]string, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", usersScript, "sh", path}, Timeout: time.Minute})
	if err != nil {
		return nil, fmt.Errorf("find processes that have %s open on %s: %w", path, at.Host().Name, err)
	}
	number, list, _ := strings.Cut(string(out.Stdout), "\n")
	if !strings.Contains(list, "/fd") {
		return nil, fmt.Errorf("find processes that have %s open on %s: %w", path, at.Host().Name, assay.ErrNoOutput)
	}
	if number == "" {
		return nil, nil
	}
	major, minor, err := deviceNumber(number)
	if err != nil {
		return nil, fmt.Errorf("find processes that have %s open on %s: %w", path, at.Host().Name, err)
	}
	return users(major, minor, list), nil
}

// namesScript prints the name of each process in $@ that still runs, after its id. A
// process names itself, so only what can be printed is passed on.
const namesScript = `LC_ALL=C; export LC_ALL
for id; do echo "$id $( { tr -cd '[:print:]' <"/proc/$id/comm"; } 2>/dev/null)"; done`

// Processes describes the processes with these ids on a host for a sentence: each
// by its id, with its name in parentheses if it still runs.
func Processes(ctx context.Context, at assay.Place, ids []string) string {
	named := slices.Clone(ids)
	// The ids alone must do where nothing answers.
	out, _ := at.Run(ctx, assay.Cmd{Argv: append([]string{"sh", "-c", namesScript, "sh"}, ids...), Timeout: time.Minute})
	for line := range strings.Lines(string(out.Stdout)) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if i := slices.Index(named, id); i >= 0 && name != "" {
			named[i] = id + " (" + name + ")"
		}
	}
	return strings.Join(named, ", ")
}

// deviceNumber parses a device's number as stat prints it: two hexadecimal
// numbers.
func deviceNumber(words string) (major, minor uint64, err error) {
	first, second, _ := strings.Cut(words, " ")
	major, err1 := strconv.ParseUint(first, 16, 32)
	minor, err2 := strconv.ParseUint(second, 16, 32)
	return major, minor, errors.Join(err1, err2)
}

// openDevice matches the line of a block device in ls -ln: mode, links, owner and
// group, then major and minor.
var openDevice = lazyregexp.New(`^b\S+ +\d+ +\d+ +\d+ +(\d+), *(\d+) `)

// users parses ls -lnL of directories such as /proc/123/fd.
func users(major, minor uint64, list string) []string {
	number := [2]string{strconv.FormatUint(major, 10), strconv.FormatUint(minor, 10)}
	var found []string
	process := ""
	for line := range strings.Lines(list) {
		line = strings.TrimSuffix(line, "\n")
		if dir, is := strings.CutSuffix(line, ":"); is && strings.HasPrefix(dir, "/proc/") {
			process, _, _ = strings.Cut(strings.TrimPrefix(dir, "/proc/"), "/")
		} else if m := openDevice.FindStringSubmatch(line); m != nil && [2]string{m[1], m[2]} == number {
			found = addOnce(found, process)
		}
	}
	return found
}
