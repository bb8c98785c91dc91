package remote

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/procmark"
)

// reapTime bounds the search, which takes a fraction of a second.
const reapTime = 30 * time.Second

// reapScript kills all that carries $1 and says how many that were.
var reapScript = MarkedScript + `
kill_marked "$1" 2>/dev/null
echo "$killed"
`

// Reap kills every process on the host that was started by a place with that mark, as
// far as the user may, and returns how many there were. It is for what a killed assay
// left: processes that got away from the command that began them. run runs a command
// there without a mark of its own, or it would find itself.
func Reap(ctx context.Context, host, mark string, run func(context.Context, assay.Cmd) (assay.Output, error)) (int, error) {
	if mark == "" {
		return 0, nil
	}
	if err := procmark.Check(mark); err != nil {
		return 0, fmt.Errorf("host %s: %w", host, err)
	}
	out, err := run(ctx, assay.Cmd{
		Argv:    []string{"sh", "-s", "--", RunMark + "=" + mark},
		Stdin:   []byte(reapScript),
		Timeout: reapTime,
	})
	if err != nil {
		return 0, fmt.Errorf("host %s: find leftover processes: %w", host, err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out.Stdout)))
	if err != nil || n < 0 {
		said := bytes.TrimSpace(out.Stderr)
		return 0, fmt.Errorf("host %s: find leftover processes: sh exited %d%s", host, out.Exit, after(string(said[bytes.LastIndexByte(said, '\n')+1:])))
	}
	return n, nil
}
