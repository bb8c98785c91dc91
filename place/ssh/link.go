package ssh

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"assay"
	"assay/internal/shell"
	"assay/place/remote"
)

// link is the shared connection: an ssh that does nothing but hold it open and
// lets others through by a socket (ControlMaster).
type link struct {
	turn   chan struct{} // held by who opens or closes
	closed atomic.Bool
	dir    *controlDir // made by us, removed by close
	master *process
	socket string
	opened int
	last   attempt
}

// attempt is one to connect that failed: why, when that was known, and how long
// it had taken to find out.
type attempt struct {
	failure error
	at      time.Time
	took    time.Duration
}

// holds reports whether the host need not be asked again: what took long to find
// out is believed for as long again, so that of many commands for a host that
// does not answer one waits for that, and not each in its turn.
func (a attempt) holds() bool { return a.failure != nil && time.Since(a.at) < a.took }

func newLink() link { return link{turn: make(chan struct{}, 1)} }

// longestSocket is how long the socket's path may be, in bytes: sun_path holds
// 104 on the BSDs and 108 on Linux, and ssh adds 17 and a zero while it binds.
const longestSocket = 104 - 18

// socketFor returns the socket of a connection that is open, and opens it first
// where it is not. The error says why that cannot be.
func (p *Place) socketFor(ctx context.Context) (string, error) {
	l := &p.link
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if l.closed.Load() {
		return "", fmt.Errorf("host %s: the place is closed", p.host.Name)
	}
	if l.master != nil && !l.master.over() {
		return l.socket, nil
	}
	if l.last.holds() {
		return "", l.last.failure
	}
	if err := p.checkNames(); err != nil {
		return "", err
	}
	socket, err := l.newSocket(p.options.ControlDir)
	if err != nil {
		return "", fmt.Errorf("host %s: %w", p.host.Name, err)
	}
	began := time.Now()
	if err := p.openLink(ctx, socket); err != nil {
		if ctx.Err() == nil {
			l.last = attempt{err, time.Now(), time.Since(began)}
		}
		return "", err
	}
	return socket, nil
}

// openLink starts the ssh that holds the connection. The socket appears once
// the host has let us in.
func (p *Place) openLink(ctx context.Context, socket string) error {
	words := &bounded{limit: remote.NoiseLimit}
	args := append(p.arguments(), "-M", "-S", escaped(socket), "-N", "--", p.options.Address)
	cmd := exec.Command("ssh", args...) //nolint:gosec // names were checked, and nothing reads the words again
	cmd.Stdout, cmd.Stderr = words, words
	// SIGTERM, unlike SIGKILL, has ssh remove its socket.
	master, err := start(cmd, syscall.SIGTERM)
	if errors.Is(err, exec.ErrNotFound) {
		return assay.WithHint("install the OpenSSH client, as in: apt install openssh-client", "host %s: ssh: %w", p.host.Name, assay.ErrNoCommand)
	}
	if err != nil {
		return fmt.Errorf("host %s: start ssh: %w", p.host.Name, err)
	}
	bound := time.NewTimer(openTime)
	defer bound.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if _, err := os.Lstat(socket); err == nil {
				p.link.master, p.link.socket = master, socket
				return nil
			}
		case <-master.done:
			return p.explain(words.String())
		case <-ctx.Done():
			master.end()
			return ctx.Err()
		case <-bound.C:
			master.end()
			return assay.WithHint(hintPath, "host %s: %w: no session within %s", p.host.Name, ErrUnreachable, openTime)
		}
	}
}

// arguments are what every ssh of this place is told. None of it touches the
// check of host keys; what opens ports or runs commands here is switched off.
func (p *Place) arguments() []string {
	var args []string
	if p.options.ConfigFile != "" {
		args = append(args, "-F", p.options.ConfigFile)
	}
	for _, o := range []string{
		"BatchMode=yes",
		"ConnectTimeout=" + seconds(connectTime),
		"ServerAliveInterval=" + seconds(aliveTime),
		"ServerAliveCountMax=" + strconv.Itoa(aliveMissed),
		"ControlPersist=no",
		"LogLevel=INFO",
		"ClearAllForwardings=yes",
		"PermitLocalCommand=no",
		"RemoteCommand=none",
		"RequestTTY=no",
	} {
		args = append(args, "-o", o)
	}
	args = append(args, "-T", "-a", "-x") // no terminal, agent or display over there
	if p.options.User != "" {
		args = append(args, "-l", p.options.User)
	}
	if p.options.Port != 0 {
		args = append(args, "-p", strconv.Itoa(p.options.Port))
	}
	return args
}

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// escaped keeps ssh from reading the path's percent signs.
func escaped(path string) string { return strings.ReplaceAll(path, "%", "%%") }

// newSocket names a socket that never was, in a directory for this user alone.
func (l *link) newSocket(dir string) (string, error) {
	if dir == "" {
		if l.dir == nil {
			made, err := newControlDir()
			if err != nil {
				return "", err
			}
			l.dir = made
		}
		dir = l.dir.path
	} else if err := checkPrivate(dir); err != nil {
		return "", err
	}
	l.opened++
	socket := filepath.Join(dir, remote.NewKey()[:8]+strconv.Itoa(l.opened))
	if len(socket) > longestSocket {
		return "", assay.WithHint("use a directory with a shorter path",
			"directory %s for the ssh connection: its path is too long for a socket", dir)
	}
	return socket, nil
}

func checkPrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("directory for the ssh connection: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("directory for the ssh connection: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return assay.WithHint("chmod 700 "+shell.Quote(dir),
			"directory %s for the ssh connection: others have access (mode %04o)", dir, mode)
	}
	return nil
}

// close ends the connection for good.
func (l *link) close() error {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	l.closed.Store(true)
	if l.master != nil {
		l.master.end()
		l.master = nil
		_ = os.Remove(l.socket) // ssh has done so, unless it was killed
	}
	if l.dir == nil {
		return nil
	}
	dir := l.dir
	l.dir = nil
	return dir.remove()
}
