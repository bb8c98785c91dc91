package garage

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"assay/lab/internal/command"
	"assay/lab/internal/wait"
)

// freePorts returns nodes with free ports. All are held until the last is
// found, so that no two are the same.
func freePorts(host string, count int) ([]node, error) {
	nodes := make([]node, count)
	for i := range nodes {
		nodes[i].Name = "node" + strconv.Itoa(i+1)
		for _, port := range []*int{&nodes[i].S3, &nodes[i].RPC, &nodes[i].Admin} {
			held, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
			if err != nil {
				return nil, err
			}
			defer held.Close()
			*port = held.Addr().(*net.TCPAddr).Port
		}
	}
	return nodes, nil
}

// at returns the listen address of one of the lab's ports.
func (l *Lab) at(port int) string {
	return net.JoinHostPort(l.state.Options.host(), strconv.Itoa(port))
}

// file returns the path of one of a node's own files.
func (l *Lab) file(n node, suffix string) string {
	return filepath.Join(l.Dir, nodesDir, n.Name+suffix)
}

// configure creates a node's directories and configuration. Nothing waits for a
// disk: the client is what is tested.
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
rpc_bind_addr = %q
rpc_public_addr = %q

[s3_api]
api_bind_addr = %q
s3_region = %q
root_domain = %q

[admin]
api_bind_addr = %q
admin_token = %q
`, l.file(n, "/meta"), l.file(n, "/data"), l.state.Options.Replication, l.state.RPCSecret,
		l.at(n.RPC), l.at(n.RPC), l.at(n.S3), Region, "."+RootDomain, l.at(n.Admin), l.state.Token)
	return os.WriteFile(l.file(n, ".toml"), []byte(text), 0o600)
}

// bounded mounts a fixed-size file system over the data directory, visible only
// to the process that it then becomes.
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
	c := exec.Command(argv[0], argv[1:]...) //nolint:gosec // starting it is the purpose of a lab
	c.Dir = "/"
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "RUST_LOG=garage=warn"}, l.processes().Mark(n.Name)...)
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		return fmt.Errorf("%s: %w", n.Name, err)
	}
	died := make(chan struct{})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.started[n.Name] = child{c.Process, died}
	// Reaped when it dies, while this program runs.
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

// dead reports whether a node has died. For a node that this program started it
// checks the process itself, which briefly has no mark while it execs.
func (l *Lab) dead(n node) bool {
	l.mu.Lock()
	c, own := l.started[n.Name]
	l.mu.Unlock()
	if !own {
		return l.processes().Alive()[n.Name] == 0
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
	alive := l.processes().Alive()
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
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	died, giveUp := context.WithCancel(ctx)
	defer giveUp()
	last, err := wait.Until(died, 20*time.Millisecond, func() error {
		_, err := l.status(ctx, n)
		if err == nil {
			var c net.Conn
			if c, err = net.DialTimeout("tcp", l.at(n.S3), time.Second); err == nil {
				return c.Close()
			}
		}
		if l.dead(n) {
			giveUp()
		}
		return err
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil:
		return fmt.Errorf("%s did not come up: %s", n.Name, command.LastLine(l.file(n, ".log")))
	}
	return fmt.Errorf("%s does not answer: %w", n.Name, last)
}

// Alive returns the nodes that are running, by name.
func (l *Lab) Alive() map[string]bool {
	on := map[string]bool{}
	for name := range l.processes().Alive() {
		on[name] = true
	}
	return on
}

// end kills the named nodes, or all if none are named, and waits until they are
// gone.
func (l *Lab) end(ctx context.Context, names ...string) error {
	l.mu.Lock()
	for name, c := range l.started {
		if len(names) == 0 || slices.Contains(names, name) {
			_ = c.process.Kill() // it may be dead
			<-c.died
			delete(l.started, name)
		}
	}
	l.mu.Unlock()
	return l.processes().End(ctx, names...)
}
