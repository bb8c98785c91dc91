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

// link is the shared connection: an ssh that only holds it open and lets others
// in through a socket (ControlMaster).
type link struct {
	turn   chan struct{} // held while opening or closing
	closed atomic.Bool
	dir    *controlDir // made by us, removed by close
	master *process
	socket string
	opened int
	last   attempt
}

// attempt is a failed attempt to connect: why it failed, when that was known,
// and how long it took to find out.
type attempt struct {
	failure error
	at      time.Time
	took    time.Duration
}

// holds reports whether the failure still stands without asking the host again:
// it is believed for as long as it took to find out, so that of many commands
// for an unresponsive host one waits for that, and not each in turn.
func (a attempt) holds() bool { return a.failure != nil && time.Since(a.at) < a.took }

func newLink() link { return link{turn: make(chan struct{}, 1)} }

// longestSocket is the maximum length of the socket's path in bytes: sun_path
// holds 104 on the BSDs and 108 on Linux, and ssh adds 17 and a zero while it
// binds.
const longestSocket = 104 - 18

// socketFor returns the socket of an open connection, and opens the connection
// first if necessary. The error says why that failed.
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
// the host has accepted the login.
func (p *Place) openLink(ctx context.Context, socket string) error {
	words := &bounded{limit: remote.NoiseLimit}
	args := append(p.arguments(), "-M", "-S", escaped(socket), "-N", "--", p.options.Address)
	cmd := exec.Command("ssh", args...) //nolint:gosec // names were checked, and no shell reads these words
	cmd.Stdout, cmd.Stderr = words, words
	// SIGTERM, unlike SIGKILL, makes ssh remove its socket.
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

// arguments returns the options that every ssh of this place gets. None touches
// host key checking; whatever opens ports or runs commands here is switched
// off.
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

// escaped keeps ssh from interpreting percent signs in the path.
func escaped(path string) string { return strings.ReplaceAll(path, "%", "%%") }

// newSocket returns a new socket path in a directory private to this user.
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
