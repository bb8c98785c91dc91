package kube

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/lab/internal/disks"
	"assay/lab/internal/groups"
	"assay/lab/internal/home"
	"assay/lab/internal/wires"
)

// Control is the host of the control plane. No pod runs there.
const Control = "control"

// Options describe what to bring up.
type Options struct {
	Nodes int // 1 to 9
}

// Standard is two nodes, named node1 and node2.
var Standard = Options{Nodes: 2}

const (
	diskBytes   = 16 << 30 // a node's disk; sparse: it uses only what is written
	staticBytes = 1 << 30  // each static volume
)

// Lab is a Kubernetes on this machine.
type Lab struct {
	Dir   string // absolute; holds state, credentials, logs and disks
	state state
}

// Nodes returns the names of the nodes.
func (l *Lab) Nodes() []string {
	var all []string
	for i := range l.state.Nodes {
		all = append(all, "node"+strconv.Itoa(i+1))
	}
	return all
}

func (l *Lab) hosts() []string { return append([]string{Control}, l.Nodes()...) }

func (l *Lab) file(host, kind string) string {
	return l.path(host) + "." + kind
}

func (l *Lab) path(host string) string { return filepath.Join(l.Dir, hostsDir, host) }

// group returns the name of a lab's control group, below the root of each
// hierarchy.
func (l *Lab) group() string { return "assay-kube-" + l.state.ID }

// mark returns the prefix of a node's volume names, by which their loop devices
// are found.
func (l *Lab) mark(node string) string { return l.group() + "-" + node }

// Up brings a Kubernetes up in dir, which must be new, empty or a lab's, and waits
// until its nodes are ready. If it is up already, only stopped services are
// started; a half-made lab of an earlier Up, or one with a dead host, is removed
// first. It is an error if dir has a lab with other options. On an error nothing
// is left.
func Up(ctx context.Context, dir string, o Options) (*Lab, error) {
	if o.Nodes < 1 || o.Nodes > 9 {
		return nil, fmt.Errorf("%d nodes: there can be 1 to 9", o.Nodes)
	}
	if err := Missing(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(dir, ":,\\") {
		return nil, fmt.Errorf("%s: mount options cannot name it: no colon, comma or backslash", dir)
	}
	leave, err := homeOf(dir).Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	l := &Lab{Dir: dir}
	l.state, err = readState(dir)
	switch {
	case err == nil && (!l.state.Ready || len(l.processes().Alive()) < len(l.hosts())):
		err = l.clear(ctx)
	case err == nil && l.state.Nodes != o.Nodes:
		return nil, assay.WithHint("take it down first", "a Kubernetes of %d nodes is up in %s", l.state.Nodes, dir)
	case err == nil:
		return l, l.startAll(ctx)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := l.build(ctx, o); err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
		defer cancel()
		return nil, errors.Join(err, l.clear(undo), os.Remove(dir))
	}
	return l, nil
}

// Open returns the lab in dir, which Up made in this program or another. If there
// is none, the error wraps fs.ErrNotExist.
func Open(dir string) (*Lab, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	l := &Lab{Dir: dir}
	l.state, err = readState(dir)
	return l, err
}

// Down takes the lab down; see the function Down.
func (l *Lab) Down(ctx context.Context) error { return Down(ctx, l.Dir) }

// Down ends everything that a lab in dir started, and removes its files, and dir
// itself if nothing else is in it. It is idempotent, and works whatever state
// the lab is in.
func Down(ctx context.Context, dir string) error {
	return home.Down(ctx, dir, homeOf, Open, (*Lab).clear)
}

// clear ends the hosts and removes everything but the directory.
func (l *Lab) clear(ctx context.Context) error {
	if err := l.processes().End(ctx); err != nil {
		return err
	}
	if err := errors.Join(l.unlink(ctx), l.detach(ctx), groups.Remove(ctx, l.groups()...)); err != nil {
		return err
	}
	return homeOf(l.Dir).Clear()
}

// build makes a lab from scratch.
func (l *Lab) build(ctx context.Context, o Options) error {
	octet, err := wires.FreeOctet()
	if err != nil {
		return err
	}
	l.state = state{ID: home.NewID(6), Octet: octet, Nodes: o.Nodes}
	if err := errors.Join(homeOf(l.Dir).Write(l.state), l.makeAuthority()); err != nil {
		return err
	}
	if _, err := l.User("admin", "system:masters"); err != nil {
		return err
	}
	images, err := images(ctx)
	if err != nil {
		return err
	}
	for _, host := range l.hosts() {
		if err := l.startHost(ctx, host, images); err != nil {
			return err
		}
	}
	if err := l.wire(ctx); err != nil {
		return err
	}
	if err := l.startAll(ctx); err != nil {
		return err
	}
	l.state.Ready = true
	return homeOf(l.Dir).Write(l.state)
}

// startHost makes what a host needs and starts its first process.
func (l *Lab) startHost(ctx context.Context, host, images string) error {
	if err := errors.Join(os.MkdirAll(l.file(host, "at"), 0o700), l.configure(host)); err != nil {
		return err
	}
	programs, err := programs()
	if err != nil {
		return err
	}
	disk := ""
	if host != Control {
		disk = l.file(host, "img")
		if err := disks.Make(ctx, disk, diskBytes, host); err != nil {
			return err
		}
	}
	var names strings.Builder
	for _, h := range l.hosts() {
		fmt.Fprintf(&names, "%s %s\n", l.address(h), h)
	}
	return l.start(ctx, host,
		"LAB_GROUP="+l.group()+"/"+host, "LAB_AT="+l.file(host, "at"), "LAB_ETC="+l.file(host, "etc"),
		"LAB_LOGS="+l.file(host, "logs"), "LAB_BIN="+programs, "LAB_IMAGES="+images, "LAB_DISK="+disk,
		"LAB_MARK="+l.mark(host), "LAB_STATIC="+strconv.Itoa(staticBytes), "LAB_HOSTS="+names.String())
}

// startAll starts what is not running, and waits until all nodes are ready. The
// runtimes import their images while the API server starts.
func (l *Lab) startAll(ctx context.Context) error {
	imported := make(chan error, len(l.Nodes()))
	for _, node := range l.Nodes() {
		go func() { imported <- errors.Join(l.Start(ctx, node, Containerd), l.importImages(ctx, node)) }()
	}
	err := errors.Join(l.Start(ctx, Control, Etcd), l.Start(ctx, Control, APIServer))
	if err == nil && !l.state.Ready {
		err = l.Apply(ctx, l.objects())
	}
	for range l.Nodes() {
		err = errors.Join(err, <-imported)
	}
	if err != nil {
		return err
	}
	for _, host := range l.hosts() {
		for _, service := range Services(host) {
			if err := l.Start(ctx, host, service); err != nil {
				return err
			}
		}
	}
	for _, node := range l.Nodes() {
		if err := l.awaitNode(ctx, node); err != nil {
			return err
		}
	}
	return l.awaitAccount(ctx)
}

// Hosts reports which hosts are alive, by name.
func (l *Lab) Hosts() map[string]bool {
	on := map[string]bool{}
	alive := l.processes().Alive()
	for _, host := range l.hosts() {
		on[host] = alive[host] != 0
	}
	return on
}

// node returns an error if there is no node of that name.
func (l *Lab) node(name string) error {
	if !slices.Contains(l.Nodes(), name) {
		return fmt.Errorf("no node is called %q: there are %s", name, strings.Join(l.Nodes(), ", "))
	}
	return nil
}
