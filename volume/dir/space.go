package dir

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// space is a file system's size and what a user may still write, in bytes, and
// its source.
type space struct {
	size, free int64
	source     string
}

func (v Volume) measureSpace(ctx context.Context, at assay.Place, dir string) (space, error) {
	out, err := at.Run(ctx, command("df", "-Pk", "--", dir))
	if err != nil {
		return space{}, fmt.Errorf("get the free space of %s on %s: %w", dir, at.Host().Name, err)
	}
	if out.Exit != 0 {
		return space{}, v.explain(at, dir, out)
	}
	s, err := parseDF(out.Stdout)
	if err != nil {
		return space{}, fmt.Errorf("df on %s for %s: %w", at.Host().Name, dir, err)
	}
	return s, nil
}

// parseDF parses `df -Pk`: a header, then one line whose first and last fields
// may contain blanks. The numbers precede the first field that ends in "%".
func parseDF(b []byte) (space, error) {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	words := strings.Fields(lines[len(lines)-1])
	for i, w := range words {
		if i < 3 || !strings.HasSuffix(w, "%") && w != "-" {
			continue
		}
		size, err1 := strconv.ParseInt(words[i-3], 10, 64)
		free, err2 := strconv.ParseInt(words[i-1], 10, 64)
		const most = 1 << 52 // KiB that still fit in bytes
		if err1 == nil && err2 == nil && size >= 0 && size < most && free < most {
			return space{size: size << 10, free: max(free, 0) << 10, source: strings.Join(words[:i-3], " ")}, nil
		}
	}
	return space{}, fmt.Errorf("%w: %q", assay.ErrNoOutput, lines[len(lines)-1])
}
