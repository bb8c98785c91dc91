package ceph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/internal/home"
)

// Options describe the lab to bring up.
type Options struct {
	Hosts int `json:"hosts"` // 3 to 6, with a monitor and an OSD each
	// Client is the link rate, in bits a second, of an additional host named client,
	// which has neither; 0 for no such host.
	Client float64 `json:"client,omitempty"`
	// Slow limits the disk of the last host to this many B/s and operations a
	// second; 0 for the same as the others.
	Slow int64 `json:"slow,omitempty"`
	// Link is the rate of each host link in bit/s; 0 for 10 Gb/s.
	Link float64 `json:"link,omitempty"`
	// Room is the size of each OSD in bytes; 0 for 4 GiB.
	Room int64 `json:"room,omitempty"`
}

// Standard is three identical hosts.
var Standard = Options{Hosts: 3}

func (o Options) check() error {
	if o.Hosts < 3 || o.Hosts > 6 {
		return fmt.Errorf("%d hosts: there can be 3 to 6", o.Hosts)
	}
	if o.Room != 0 && o.Room < 2<<30 {
		return fmt.Errorf("%d bytes an OSD: it needs 2 GiB", o.Room)
	}
	if o.Client < 0 {
		return fmt.Errorf("a client's link of %g bit/s: it must be positive", o.Client)
	}
	return nil
}

// usualRoom is the size of an OSD in bytes, and besides is the extra room on its host's
// disk, which is sparse.
const usualRoom, besides = 4 << 30, 2 << 30

func (o Options) room() int64 { return cmp.Or(o.Room, usualRoom) }

// Client is the name of the client-only host, if the options have one.
const Client = "client"

// hosts returns the machines that Ceph runs on, followed by the client.
func (o Options) hosts() []hosts.Host {
	all := make([]hosts.Host, o.Hosts)
	for i := range all {
		all[i] = hosts.Host{Name: fmt.Sprintf("host%d", i+1), Link: cmp.Or(o.Link, 10e9), Disk: hosts.Disk{Bytes: o.room() + besides}, Sudo: true, Rise: 10}
	}
	if o.Slow > 0 {
		all[len(all)-1].Disk.Rate = o.Slow
	}
	if o.Client > 0 {
		all = append(all, hosts.Host{Name: Client, Link: o.Client, Disk: hosts.Disk{Bytes: 64 << 20}, Sudo: true, Rise: 10})
	}
	return all
}

// Lab is a Ceph on this machine.
type Lab struct {
	Dir   string     // absolute
	Hosts *hosts.Lab // hosts of the daemons and clients
	state state
}

// Cluster returns the path of the cluster.yaml that describes hosts, networks and
// pool.
func (l *Lab) Cluster() string { return filepath.Join(l.Dir, clusterFile) }

// Images returns the path of the cluster.yaml whose tier is images in the pool.
func (l *Lab) Images() string { return filepath.Join(l.Dir, imagesFile) }

// Up brings up a Ceph in dir, which must be new, empty or a lab's, and returns when
// its health is HEALTH_OK. If it is already up, nothing is done; a lab that an earlier
// Up left unfinished, or that has since lost a host, is rebuilt. A lab with other
// options in dir is an error. After an error, nothing is left.
func Up(ctx context.Context, dir string, o Options) (*Lab, error) {
	if err := errors.Join(o.check(), Missing()); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	leave, err := homeOf(dir).Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	l, err := open(dir)
	switch {
	case err == nil && l.state.Options != o:
		return nil, assay.WithHint("take it down first", "another Ceph is up in %s", dir)
	case err == nil && l.whole():
		return l, l.healthy(ctx)
	case err == nil, l.state.FSID != "":
		err = l.clear(ctx)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return nil, err
	}
	l.state = state{Options: o, FSID: newUUID()}
	if err := l.build(ctx); err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
		defer cancel()
		return nil, errors.Join(err, l.clear(undo), os.Remove(dir))
	}
	return l, nil
}

// whole reports whether everything was made and all hosts are still up.
func (l *Lab) whole() bool {
	if !l.state.Ready || l.Hosts == nil {
		return false
	}
	for _, name := range l.Hosts.Names() {
		if !l.Hosts.Alive()[name] {
			return false
		}
	}
	return true
}

// open returns what is known of the lab in dir, even with an error.
func open(dir string) (*Lab, error) {
	l := &Lab{Dir: dir}
	if err := homeOf(dir).Read(&l.state); err != nil {
		return l, err
	}
	if l.state.FSID == "" {
		return l, homeOf(dir).Foreign()
	}
	var err error
	l.Hosts, err = hosts.Open(filepath.Join(dir, hostsDir))
	return l, err
}

// Open returns the lab in dir that Up made in this or another program, or an
// error that wraps fs.ErrNotExist if there is none.
func Open(dir string) (*Lab, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return open(dir)
}

// Down takes the lab down: see the function Down.
func (l *Lab) Down(ctx context.Context) error { return Down(ctx, l.Dir) }

// Down ends everything that a lab in dir started, and removes its files, and dir
// itself if nothing else is in it. It is idempotent, and works whatever state
// the lab was left in.
func Down(ctx context.Context, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return homeOf(dir).Abandon(func() error { return (&Lab{Dir: dir}).clear(ctx) })
}

// clear removes everything but the directory.
func (l *Lab) clear(ctx context.Context) error {
	if err := hosts.Down(ctx, filepath.Join(l.Dir, hostsDir)); err != nil {
		return err
	}
	return homeOf(l.Dir).Clear()
}

// newUUID returns a random UUID.
func newUUID() string {
	id := home.NewID(16)
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", id[:8], id[8:12], id[13:16], id[17:20], id[20:])
}
