package hosts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/lab/internal/disks"
	"assay/lab/internal/groups"
	"assay/lab/internal/home"
	"assay/lab/internal/wires"
)

// Lab is a set of hosts on this machine.
type Lab struct {
	Dir   string // absolute; holds state, keys, configuration and disks
	state state
}

// Hosts returns the descriptions of the hosts, in their order on the ring.
func (l *Lab) Hosts() []Host { return l.state.Hosts }

// Names returns the names of the hosts in their order on the ring.
func (l *Lab) Names() []string {
	names := make([]string, len(l.state.Hosts))
	for i, h := range l.state.Hosts {
		names[i] = h.Name
	}
	return names
}

// Up brings up a lab of these hosts in dir, which must be new, empty or a lab's.
// If the lab is already up, only hosts that are off are powered on; a lab that
// an earlier Up left unfinished is removed first. A lab of other hosts in dir is
// an error. After an error, nothing is left.
func Up(ctx context.Context, dir string, hosts []Host) (*Lab, error) {
	if err := errors.Join(check(hosts), Missing()); err != nil {
		return nil, err
	}
	dir, err := labDir(dir)
	if err != nil {
		return nil, err
	}
	leave, err := homeOf(dir).Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	l := &Lab{Dir: dir}
	l.state, err = readState(dir)
	if err == nil {
		alive := l.processes().Alive()
		switch {
		case !l.state.Ready || alive[switchName] == 0:
			err = l.clear(ctx)
		case !reflect.DeepEqual(hosts, l.state.Hosts):
			return nil, assay.WithHint("take it down first", "a lab of %d other hosts is up in %s", len(l.state.Hosts), dir)
		default:
			return l, l.powerOn(ctx)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l.state = state{ID: home.NewID(8), Hosts: hosts}
	if err := l.build(ctx); err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
		defer cancel()
		return nil, errors.Join(err, l.clear(undo), os.Remove(dir))
	}
	return l, nil
}

// Open returns the lab in dir that Up made in this or another program, or an
// error that wraps fs.ErrNotExist if there is none.
func Open(dir string) (*Lab, error) {
	dir, err := labDir(dir)
	if err != nil {
		return nil, err
	}
	l := &Lab{Dir: dir}
	l.state, err = readState(dir)
	return l, err
}

// labDir makes a path absolute and rejects one that ssh's files cannot hold.
func labDir(dir string) (string, error) {
	if strings.ContainsAny(dir, "\"\n\\") {
		return "", fmt.Errorf("%q cannot be a lab's directory", dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	// The kernel reports the images of loop devices by their real paths.
	if physical, err := filepath.EvalSymlinks(dir); err == nil {
		return physical, nil
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil
	}
	return filepath.Join(parent, filepath.Base(dir)), err
}

// Down takes the lab down: see the function Down.
func (l *Lab) Down(ctx context.Context) error { return Down(ctx, l.Dir) }

// Down removes everything that a lab in dir made on this machine, and dir
// itself if nothing else is in it. It is idempotent, and works whatever state
// the lab was left in.
func Down(ctx context.Context, dir string) error {
	dir, err := labDir(dir)
	if err != nil {
		return err
	}
	return home.Down(ctx, dir, homeOf, Open, (*Lab).clear)
}

func (l *Lab) write() error { return homeOf(l.Dir).Write(l.state) }

// clear removes everything but the directory, the state file last.
func (l *Lab) clear(ctx context.Context) error {
	if err := l.unbound(); err != nil {
		return err
	}
	if err := l.processes().End(ctx); err != nil {
		return err
	}
	if err := l.detach(ctx, l.Names()...); err != nil {
		return err
	}
	if err := groups.Remove(ctx, groupOf(l.state.ID)); err != nil {
		return err
	}
	// The cable's far end was in the switch: it disappears as soon as the
	// kernel has torn down that namespace.
	for l.state.Octet != 0 && l.hasCable() {
		if err := sleep.For(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("%s is still here: %w", l.laptopNIC(), err)
		}
	}
	return homeOf(l.Dir).Clear()
}

// hasCable reports whether this machine has an interface with the lab's name that
// belongs to the lab: another lab may have taken the name since.
func (l *Lab) hasCable() bool {
	nic, err := net.InterfaceByName(l.laptopNIC())
	if err != nil {
		return false
	}
	return l.state.Cable == 0 || nic.Index == l.state.Cable
}

// build makes a lab from nothing.
func (l *Lab) build(ctx context.Context) error {
	if err := l.write(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(l.Dir, hostsDir), 0o700); err != nil {
		return err
	}
	if err := l.start(ctx, switchName, switchScript); err != nil {
		return err
	}
	if err := l.settle(ctx); err != nil {
		return err
	}
	if err := l.wireSwitches(ctx); err != nil {
		return err
	}
	if err := makeKey(ctx, filepath.Join(l.Dir, keyFile), User+"@"+laptop); err != nil {
		return err
	}
	if err := each(l.state.Hosts, func(h Host) error {
		if err := makeKey(ctx, l.file(h.Name, "key"), "root@"+h.Name); err != nil {
			return err
		}
		return disks.Make(ctx, l.file(h.Name, "img"), h.Disk.Bytes, h.Name)
	}); err != nil {
		return err
	}
	if err := errors.Join(l.writeSSH(), l.writeCluster()); err != nil {
		return err
	}
	return l.powerOn(ctx)
}

// settle chooses the addresses and takes the interface named after them; if
// another lab was faster, it chooses others.
func (l *Lab) settle(ctx context.Context) error {
	for try := 1; ; try++ {
		octet, err := wires.FreeOctet()
		if err != nil {
			return err
		}
		l.state.Octet = octet
		if err := l.write(); err != nil {
			return err
		}
		l.state.Cable, err = l.linkLaptop(ctx)
		if err == nil {
			return l.write()
		}
		l.state.Octet = 0 // not ours to wait for
		if try == 5 || !strings.Contains(err.Error(), "File exists") {
			return err
		}
	}
}
