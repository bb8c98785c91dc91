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

// reapScript kills all processes that carry $1 and prints how many there were.
var reapScript = MarkedScript + `
kill_marked "$1" 2>/dev/null
echo "$killed"
`

// Reap kills every process on the host that a place with that mark started, as far as
// the user may, and returns how many there were. It cleans up after a killed assay:
// processes that escaped the command that started them. run must run a command there
// without a mark, or Reap would find itself.
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
