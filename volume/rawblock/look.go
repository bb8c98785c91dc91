package rawblock

import (
	"context"
	_ "embed" // the script that asks
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
)

//go:embed look.sh
var lookScript string

// Look asks a host about a block device. It writes nothing to it.
func Look(ctx context.Context, at assay.Place, path string) (Facts, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-s", "--", path}, Stdin: []byte(lookScript), Timeout: time.Minute})
	if err != nil {
		return Facts{}, fmt.Errorf("look at block device %s on %s: %w", path, at.Host().Name, err)
	}
	f, err := ParseFacts(path, out.Stdout)
	if err != nil {
		return f, fmt.Errorf("on %s: %w: %s", at.Host().Name, err, strings.TrimSpace(string(out.Stderr)))
	}
	if f.Absent || f.Other || f.Bytes == 0 {
		return f, nil
	}
	head, err := read(ctx, at, path, 0, min(headBytes, f.Bytes))
	if err != nil {
		return f, err
	}
	from := max(0, f.Bytes-tailBytes)
	tail, err := read(ctx, at, path, from, f.Bytes-from)
	if err != nil {
		return f, err
	}
	f.Marked(head, tail)
	return f, nil
}

// read gives bytes of a device. from and length are multiples of a sector.
func read(ctx context.Context, at assay.Place, path string, from, length int64) ([]byte, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"dd", "if=" + path, "bs=" + strconv.Itoa(sectorBytes),
		"skip=" + strconv.FormatInt(from/sectorBytes, 10), "count=" + strconv.FormatInt(length/sectorBytes, 10)}, Timeout: time.Minute})
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s on %s: %w", path, at.Host().Name, err)
	case out.Exit != 0 || int64(len(out.Stdout)) != length:
		return nil, fmt.Errorf("read %s on %s: %d of %d bytes: %s", path, at.Host().Name, len(out.Stdout), length, strings.TrimSpace(string(out.Stderr)))
	}
	return out.Stdout, nil
}

// InUse says which processes of the host have a device open, by their ids, as far
// as the user may look.
func InUse(ctx context.Context, at assay.Place, path string) ([]string, error) {
	// ls ends with 1 or 2 where a process went meanwhile, or may not be looked at.
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c",
		`p=$(readlink -f "$1") || p=$1; printf '%s\n' "$p"; ls -l /proc/[0-9]*/fd/ 2>/dev/null; :`, "sh", path}, Timeout: time.Minute})
	if err != nil {
		return nil, fmt.Errorf("look who has %s open on %s: %w", path, at.Host().Name, err)
	}
	name, list, _ := strings.Cut(string(out.Stdout), "\n")
	if name == "" || !strings.Contains(list, "/fd") {
		return nil, fmt.Errorf("look who has %s open on %s: %w", path, at.Host().Name, assay.ErrNoOutput)
	}
	return holders(name, list), nil
}

// holders reads ls -l of directories such as /proc/123/fd.
func holders(device, list string) []string {
	var found []string
	process := ""
	for line := range strings.Lines(list) {
		line = strings.TrimSuffix(line, "\n")
		if dir, is := strings.CutSuffix(line, ":"); is && strings.HasPrefix(dir, "/proc/") {
			process, _, _ = strings.Cut(strings.TrimPrefix(dir, "/proc/"), "/")
		} else if strings.HasSuffix(line, " -> "+device) {
			found = addOnce(found, process)
		}
	}
	return found
}
