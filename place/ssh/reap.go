package ssh

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/procmark"
	"assay/place/remote"
)

// reapTime bounds the search, which takes a fraction of a second.
const reapTime = 30 * time.Second

// reapScript kills all that carries $1 and says how many that were.
var reapScript = remote.MarkedScript + `
kill_marked "$1" 2>/dev/null
echo "$killed"
`

// Reap kills every process on the host that was started by a place with that
// mark, as far as the user may, and says how many there were. It is for what a
// killed assay left: processes that got away from the command that began them.
func (p *Place) Reap(ctx context.Context, mark string) (int, error) {
	if mark == "" {
		return 0, nil
	}
	if err := procmark.Check(mark); err != nil {
		return 0, fmt.Errorf("host %s: %w", p.host.Name, err)
	}
	// Without a mark of its own, or it would find itself.
	out, err := p.run(ctx, assay.Cmd{
		Argv:    []string{"sh", "-s", "--", remote.RunMark + "=" + mark},
		Stdin:   []byte(reapScript),
		Timeout: reapTime,
	}, "")
	if err != nil {
		return 0, fmt.Errorf("host %s: find leftover processes: %w", p.host.Name, err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out.Stdout)))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("host %s: find leftover processes: sh exited %d%s", p.host.Name, out.Exit, after(lastLine(string(out.Stderr))))
	}
	return n, nil
}
