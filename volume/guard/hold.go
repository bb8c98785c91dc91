package guard

import (
	"bytes"
	"context"
	_ "embed" // for hold.sh
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"assay"
)

// holdScript opens the device $1 with O_EXCL, reports that, and keeps it open until
// it is told to end or its connection ends. Meanwhile the kernel refuses all other
// exclusive opens: mount, mkfs, swapon, LVM, md, ZFS, another assay. Opens like
// those of benchmarks succeed.
//
//go:embed hold.sh
var holdScript string

// holdBound limits how long a host may take to report that it holds a device.
const holdBound = time.Minute

// exitNoTool is hold.sh's exit status if no tool can open a device that way.
const exitNoTool = 127

// holder holds a device. nil holds none.
type holder struct {
	process string // its id on the host
	number  string // major:minor of what it opened
	end     context.CancelFunc
	ended   chan struct{} // closed when it has ended
	why     error         // why it ended; valid once ended is closed
}

// hold holds a device of a host until release. The error is assay.ErrBusy if
// somebody else has it, assay.ErrNoCommand if the host has no tool for it.
func hold(ctx context.Context, at assay.Place, device string) (*holder, error) {
	held, end := context.WithCancel(context.WithoutCancel(ctx))
	h := &holder{end: end, ended: make(chan struct{})}
	said := make(chan string, 1)
	var heard []byte
	go func() {
		out, err := at.Run(held, assay.Cmd{Argv: []string{"sh", "-s", "--", device}, Stdin: []byte(holdScript), OnStdout: func(piece []byte) bool {
			if bytes.IndexByte(heard, '\n') >= 0 {
				return false
			}
			heard = append(heard, piece...)
			if line, _, whole := strings.Cut(string(heard), "\n"); whole {
				said <- line
			}
			return false
		}})
		h.why = why(at, device, out, err)
		close(h.ended)
	}()
	bounded, cancel := context.WithTimeoutCause(ctx, holdBound, fmt.Errorf("hold %s on %s: no answer within %s", device, at.Host().Name, holdBound))
	defer cancel()
	select {
	case line := <-said:
		if err := h.read(line); err != nil {
			h.release()
			return nil, fmt.Errorf("hold %s on %s: %w", device, at.Host().Name, err)
		}
		return h, nil
	case <-h.ended:
		end()
		return nil, h.why
	case <-bounded.Done():
		h.release()
		return nil, context.Cause(bounded)
	}
}

// why returns the reason that a device is not held.
func why(at assay.Place, device string, out assay.Output, err error) error {
	said := strings.TrimSpace(string(out.Stderr))
	switch {
	case err != nil:
		return fmt.Errorf("hold %s on %s: %w", device, at.Host().Name, err)
	case out.Exit == exitNoTool:
		return assay.WithHint("install perl or python3 on it", "hold %s on %s: perl: %w", device, at.Host().Name, assay.ErrNoCommand)
	case strings.Contains(said, "esource busy"):
		return fmt.Errorf("block device %s on %s is %w: somebody began to use it while it was checked", device, at.Host().Name, assay.ErrBusy)
	}
	return fmt.Errorf("hold %s on %s: exit %d: %s", device, at.Host().Name, out.Exit, said[strings.LastIndexByte(said, '\n')+1:])
}

// read parses the output of hold.sh: its process id and the device's number.
func (h *holder) read(line string) error {
	words := strings.Fields(line)
	if len(words) != 3 || words[0] != "held" {
		return fmt.Errorf("%w: %q", assay.ErrNoOutput, line)
	}
	_, err1 := strconv.ParseUint(words[1], 10, 32)
	number, err2 := strconv.ParseUint(words[2], 10, 64)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("%w: %q", assay.ErrNoOutput, line)
	}
	h.process, h.number = words[1], fmt.Sprintf("%d:%d", unix.Major(number), unix.Minor(number))
	return nil
}

// processes returns the ids of the processes that hold the device.
func (h *holder) processes() []string {
	if h == nil {
		return nil
	}
	return []string{h.process}
}

// release lets the device go, and waits until that is done.
func (h *holder) release() {
	if h == nil {
		return
	}
	h.end()
	<-h.ended
}

// holds returns nil if the device is still held. Its host is asked: that ends the holder
// when it loses contact with us, which we may learn later.
func (h *holder) holds(ctx context.Context, at assay.Place) error {
	select {
	case <-h.ended:
		return fmt.Errorf("%w: %w", errLetGo, h.why)
	default:
	}
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"sh", "-c", `[ -d "/proc/$1" ]`, "sh", h.process}, Timeout: holdBound})
	if err == nil && out.Exit != 0 {
		err = errLetGo
	}
	return err
}

// errLetGo means that a holder has ended without being told to.
var errLetGo = errors.New("it is no longer held")
