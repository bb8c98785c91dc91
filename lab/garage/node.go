package garage

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The marks of the lab's processes, in their environment.
const (
	markLab  = "ASSAY_GARAGE_LAB"
	markNode = "ASSAY_GARAGE_NODE"
)

// freePorts gives nodes with ports that nobody listens on. All are held until
// the last is found, so that no two are the same.
func freePorts(count int) ([]node, error) {
	nodes := make([]node, count)
	for i := range nodes {
		nodes[i].Name = "node" + strconv.Itoa(i+1)
		for _, port := range []*int{&nodes[i].S3, &nodes[i].RPC, &nodes[i].Admin} {
			held, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return nil, err
			}
			defer held.Close()
			*port = held.Addr().(*net.TCPAddr).Port
		}
	}
	return nodes, nil
}

// file gives a path of a node's own.
func (l *Lab) file(n node, suffix string) string {
	return filepath.Join(l.Dir, nodesDir, n.Name+suffix)
}

// configure makes a node's directories and its configuration. Nothing waits for
// a disk: what is tested is the client.
func (l *Lab) configure(n node) error {
	for _, dir := range []string{"/meta", "/data"} {
		if err := os.MkdirAll(l.file(n, dir), 0o700); err != nil {
			return err
		}
	}
	text := fmt.Sprintf(`metadata_dir = %q
data_dir = %q
db_engine = "lmdb"
replication_factor = %d
rpc_secret = %q
rpc_bind_addr = "127.0.0.1:%d"
rpc_public_addr = "127.0.0.1:%d"

[s3_api]
api_bind_addr = "127.0.0.1:%d"
s3_region = %q
root_domain = %q

[admin]
api_bind_addr = "127.0.0.1:%d"
admin_token = %q
`, l.file(n, "/meta"), l.file(n, "/data"), l.state.Options.Replication, l.state.RPCSecret,
		n.RPC, n.RPC, n.S3, Region, "."+RootDomain, n.Admin, l.state.Token)
	return os.WriteFile(l.file(n, ".toml"), []byte(text), 0o600)
}

// bounded mounts a file system of a fixed size over the data directory, where
// only the process that it then becomes can see it.
const bounded = `mount -t tmpfs -o size="$1",mode=0700 tmpfs "$2" && exec "$3" -c "$4" server`

// start starts a node, which outlives this program.
func (l *Lab) start(n node) error {
	program, err := Program()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(l.file(n, ".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	argv := []string{program, "-c", l.file(n, ".toml"), "server"}
	if size := l.state.Options.DataBytes; size > 0 {
		argv = []string{"unshare", "--mount", "--", "sh", "-c", bounded, "sh",
			strconv.FormatInt(size, 10), l.file(n, "/data"), program, l.file(n, ".toml")}
	}
	c := exec.Command(argv[0], argv[1:]...) //nolint:gosec // starting it is what a lab is for
	c.Dir = "/"
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "RUST_LOG=garage=warn", markLab + "=" + l.state.ID, markNode + "=" + n.Name}
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		return fmt.Errorf("%s: %w", n.Name, err)
	}
	died := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.started[n.Name] = child{c.Process, died}
	// Buried when it dies, in the time of this program.
	go func() {
		_ = c.Wait()
		close(died)
	}()
	return nil
}

// child is a node that this program started.
type child struct {
	process *os.Process
	died    <-chan struct{}
}

// dead says whether a node has died. One that this program started is asked
// itself: while it becomes another program it has no mark for a moment.
func (l *Lab) dead(n node) bool {
	l.mu.Lock()
	c, own := l.started[n.Name]
	l.mu.Unlock()
	if !own {
		return processes(l.state.ID)[n.Name] == 0
	}
	select {
	case <-c.died:
		return true
	default:
		return false
	}
}

// startProcesses starts the nodes that are off and waits until they answer.
func (l *Lab) startProcesses(ctx context.Context) error {
	alive := processes(l.state.ID)
	for _, n := range l.state.Nodes {
		if alive[n.Name] != 0 {
			continue
		}
		if err := l.start(n); err != nil {
			return err
		}
	}
	for _, n := range l.state.Nodes {
		if err := l.await(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// await waits until a node's admin and S3 ports answer.
func (l *Lab) await(ctx context.Context, n node) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		_, err := l.status(ctx, n)
		if err == nil {
			var c net.Conn
			if c, err = net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", n.S3), time.Second); err == nil {
				return c.Close()
			}
		}
		if l.dead(n) {
			return fmt.Errorf("%s did not come up: %s", n.Name, lastLine(l.file(n, ".log")))
		}
		if pause(ctx, 20*time.Millisecond) != nil {
			return fmt.Errorf("%s does not answer: %w", n.Name, err)
		}
	}
}

// lastLine is what a node said before it failed.
func lastLine(file string) string {
	b, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return lines[len(lines)-1]
}

// processes finds the nodes that are alive, by name. The kernel is asked each
// time: process ids are reused, marks are not.
func processes(id string) map[string]int {
	found := map[string]int{}
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environs {
		b, err := os.ReadFile(file) // empty for a dead one
		if err != nil || !bytes.Contains(b, []byte(markLab+"="+id+"\x00")) {
			continue
		}
		for entry := range strings.SplitSeq(string(b), "\x00") {
			if name, ok := strings.CutPrefix(entry, markNode+"="); ok {
				found[name], _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
			}
		}
	}
	return found
}

// Alive says which nodes run, by name.
func (l *Lab) Alive() map[string]bool {
	on := map[string]bool{}
	for name := range processes(l.state.ID) {
		on[name] = true
	}
	return on
}

// end kills nodes, all where none is named, and waits until they are gone. It
// looks twice, for the same reason as dead.
func (l *Lab) end(ctx context.Context, names ...string) error {
	named := func(name string) bool { return len(names) == 0 || slices.Contains(names, name) }
	l.mu.Lock()
	for name, c := range l.started {
		if named(name) {
			_ = c.process.Kill() // it may be dead
			<-c.died
			delete(l.started, name)
		}
	}
	l.mu.Unlock()
	for empty := 0; ; {
		left := 0
		for name, pid := range processes(l.state.ID) {
			if named(name) {
				left++
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if left > 0 {
			empty = 0
		} else if empty++; empty == 2 {
			return nil
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("%d nodes do not die: %w", left, err)
		}
	}
}

// pause waits between two looks at something.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
