package garage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/lab/internal/home"
)

const (
	// Region is the region that requests must be signed for.
	Region = "garage"
	// RootDomain follows the bucket's name in virtual-host style:
	// BUCKET.s3.garage.localhost. No name server resolves it.
	RootDomain = "s3.garage.localhost"
)

// Options describe the lab to bring up.
type Options struct {
	Nodes       int `json:"nodes"`       // 1 to 9
	Replication int `json:"replication"` // copies of each object, at most Nodes
	// DataBytes limits the data directory of each node, in bytes, so that it can
	// be filled; 0 for no limit. A limited one is in memory and disappears with
	// its process. It needs root: see CannotBound.
	DataBytes int64 `json:"data_bytes,omitempty"`
	// Host is the address of this machine for all ports; "" is 127.0.0.1. With
	// this machine's address on another lab's network, the hosts and pods there
	// can reach it.
	Host string `json:"host,omitempty"`
}

func (o Options) host() string {
	if o.Host == "" {
		return "127.0.0.1"
	}
	return o.Host
}

// Standard is three nodes with three copies, as Garage's authors recommend.
var Standard = Options{Nodes: 3, Replication: 3}

func (o Options) check() error {
	if o.Nodes < 1 || o.Nodes > 9 {
		return fmt.Errorf("%d nodes: there can be 1 to 9", o.Nodes)
	}
	if o.Replication < 1 || o.Replication > o.Nodes {
		return fmt.Errorf("%d copies on %d nodes: there can be 1 to %d", o.Replication, o.Nodes, o.Nodes)
	}
	if o.Host != "" && net.ParseIP(o.Host) == nil {
		return fmt.Errorf("%q is no address to listen on", o.Host)
	}
	if o.DataBytes > 0 {
		return CannotBound()
	}
	return nil
}

// Lab is a Garage on this machine.
type Lab struct {
	Dir   string // absolute; holds state, configuration and data
	state state

	mu      sync.Mutex
	started map[string]child // by this program, by name
}

// Endpoints returns the S3 endpoint of each node: http://HOST:PORT.
func (l *Lab) Endpoints() []string {
	var all []string
	for _, n := range l.state.Nodes {
		all = append(all, "http://"+l.at(n.S3))
	}
	return all
}

// Names returns the names of the nodes, in the order of Endpoints.
func (l *Lab) Names() []string {
	var all []string
	for _, n := range l.state.Nodes {
		all = append(all, n.Name)
	}
	return all
}

// TokenFile returns the path of a file that holds only the admin API's token.
func (l *Lab) TokenFile() string { return filepath.Join(l.Dir, tokenFile) }

// Up brings up a Garage in dir, which must be new, empty or a lab's. If it is
// already up, only nodes that are off are started; a lab that an earlier Up left
// unfinished is removed first. A lab with other options in dir is an error.
// After an error, nothing is left.
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
	l := &Lab{Dir: dir, started: map[string]child{}}
	l.state, err = readState(dir)
	switch {
	case err == nil && !l.state.Ready:
		err = l.clear(ctx)
	case err == nil && l.state.Options != o:
		return nil, assay.WithHint("take it down first", "another Garage is up in %s", dir)
	case err == nil:
		return l, l.startAll(ctx)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// Ports that were free may be taken by the time a node binds them.
	for try := 1; ; try++ {
		err := l.build(ctx, o)
		if err == nil {
			return l, nil
		}
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Minute)
		left := l.clear(undo)
		cancel()
		if left != nil || try == 3 || !strings.Contains(err.Error(), "in use") {
			return nil, errors.Join(err, left, os.Remove(dir))
		}
	}
}

// Open returns the lab in dir that Up made in this or another program, or an
// error that wraps fs.ErrNotExist if there is none.
func Open(dir string) (*Lab, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	l := &Lab{Dir: dir, started: map[string]child{}}
	l.state, err = readState(dir)
	return l, err
}

// Down takes the lab down: see the function Down.
func (l *Lab) Down(ctx context.Context) error { return Down(ctx, l.Dir) }

// Down ends everything that a lab in dir started, and removes its files, and dir
// itself if nothing else is in it. It is idempotent, and works whatever state
// the lab was left in.
func Down(ctx context.Context, dir string) error {
	return home.Down(ctx, dir, homeOf, Open, (*Lab).clear)
}

// clear ends the processes and removes everything but the directory.
func (l *Lab) clear(ctx context.Context) error {
	if err := l.end(ctx); err != nil {
		return err
	}
	return homeOf(l.Dir).Clear()
}

// build makes a lab from nothing.
func (l *Lab) build(ctx context.Context, o Options) error {
	nodes, err := freePorts(o.host(), o.Nodes)
	if err != nil {
		return err
	}
	l.state = state{ID: home.NewID(8), Options: o, Nodes: nodes, RPCSecret: home.NewID(32), Token: home.NewID(32)}
	if err := homeOf(l.Dir).Write(l.state); err != nil {
		return err
	}
	if err := os.WriteFile(l.TokenFile(), []byte(l.state.Token+"\n"), 0o600); err != nil {
		return err
	}
	for _, n := range nodes {
		if err := l.configure(n); err != nil {
			return err
		}
	}
	if err := l.startProcesses(ctx); err != nil {
		return err
	}
	if err := l.join(ctx); err != nil {
		return err
	}
	l.state.Ready = true
	return homeOf(l.Dir).Write(l.state)
}

// startAll starts the nodes that are off, and waits until all form one cluster.
func (l *Lab) startAll(ctx context.Context) error {
	if err := l.startProcesses(ctx); err != nil {
		return err
	}
	return l.healthy(ctx)
}

// Stop ends a node as a power cut would. Its data stays, unless it is bounded.
func (l *Lab) Stop(ctx context.Context, name string) error {
	if !slices.Contains(l.Names(), name) {
		return fmt.Errorf("no node is called %q: there are %s", name, strings.Join(l.Names(), ", "))
	}
	return l.end(ctx, name)
}

// Start starts the nodes that are off.
func (l *Lab) Start(ctx context.Context) error { return l.startAll(ctx) }
