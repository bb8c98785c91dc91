package hosts

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"assay/lab/internal/wait"
)

// Alive returns the hosts that are on, by name.
func (l *Lab) Alive() map[string]bool {
	on := map[string]bool{}
	for name := range l.processes().Alive() {
		on[name] = true
	}
	return on
}

// powerOn starts the hosts that are off and returns when all of them answer. On
// an error it turns them off again.
func (l *Lab) powerOn(ctx context.Context) error {
	alive := l.processes().Alive()
	var off []Host
	for _, h := range l.state.Hosts {
		if alive[h.Name] == 0 {
			off = append(off, h)
		}
	}
	if len(off) == 0 {
		return nil
	}
	// If killed midway, it leaves a lab that is not ready, and Up rebuilds it.
	ready := l.state.Ready
	l.state.Ready = false
	if err := l.write(); err != nil {
		return err
	}
	if err := l.bringOn(ctx, off); err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
		defer cancel()
		for _, h := range off {
			err = errors.Join(err, l.processes().End(undo, h.Name))
		}
		l.state.Ready = ready
		return errors.Join(err, l.write())
	}
	l.state.Ready = true
	return l.write()
}

func (l *Lab) bringOn(ctx context.Context, off []Host) error {
	fresh := map[string]bool{}
	for _, h := range off {
		fresh[h.Name] = true
	}
	if err := each(off, func(h Host) error { return l.boot(ctx, h) }); err != nil {
		return err
	}
	for _, h := range off {
		if err := l.boundDisk(h); err != nil {
			return err
		}
	}
	if err := l.wire(ctx, fresh); err != nil {
		return err
	}
	if err := each(l.state.Hosts, func(h Host) error { return l.showSpeeds(ctx, h) }); err != nil {
		return err
	}
	return each(off, func(h Host) error { return l.await(ctx, h.Name) })
}

// boot starts one host.
func (l *Lab) boot(ctx context.Context, h Host) error {
	at := filepath.Join(l.Dir, hostsDir, h.Name)
	if err := os.MkdirAll(at, 0o700); err != nil {
		return err
	}
	public, err := os.ReadFile(filepath.Join(l.Dir, keyFile+".pub"))
	if err != nil {
		return err
	}
	var names strings.Builder
	for _, other := range l.state.Hosts {
		fmt.Fprintf(&names, "%s %s\n", l.Address(other.Name, Management), other.Name)
	}
	sudo := map[bool]string{true: "yes", false: "no"}
	return l.start(ctx, h.Name, hostScript,
		"LAB_AT="+at, "LAB_IMAGE="+l.file(h.Name, "img"), "LAB_KEY="+l.file(h.Name, "key"),
		"LAB_USER="+User, "LAB_BENCH="+BenchDir, "LAB_PUBLIC="+strings.TrimSpace(string(public)),
		"LAB_SUDO="+sudo[h.Sudo], "LAB_RISE="+strconv.Itoa(int(h.Rise*1000)),
		"LAB_HOSTS="+names.String(), "LAB_BOOT="+newUUID())
}

// newUUID returns a random (version 4) UUID.
func newUUID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// await waits until a host's SSH server sends its greeting.
func (l *Lab) await(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	at := net.JoinHostPort(l.Address(host, Management), "22")
	if last, err := wait.Until(ctx, 20*time.Millisecond, func() error { return greeted(ctx, at) }); err != nil {
		return fmt.Errorf("%s: no SSH server: %w", host, last)
	}
	return nil
}

func greeted(ctx context.Context, at string) error {
	c, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "tcp", at)
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	line, err := bufio.NewReader(c).ReadString('\n')
	if err == nil && !strings.HasPrefix(line, "SSH-") {
		return fmt.Errorf("%s speaks no SSH", at)
	}
	return err
}

// powerOff kills a host and returns when the host and its disk are gone.
func (l *Lab) powerOff(ctx context.Context, host string) error {
	if _, err := l.pid(host); err != nil {
		return err
	}
	if err := l.processes().End(ctx, host); err != nil {
		return err
	}
	return l.detach(ctx, host)
}

// each calls do for all hosts in parallel.
func each(all []Host, do func(Host) error) error {
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	for i, h := range all {
		wait.Go(func() { errs[i] = do(h) })
	}
	wait.Wait()
	return errors.Join(errs...)
}
