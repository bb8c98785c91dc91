package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"
)

// Server is a running server. Every user of this machine may log in as the
// superuser "assay", on the socket in Dir.
type Server struct {
	Dir   string // holds the socket and the data
	cmd   *exec.Cmd
	ended chan struct{} // closed when the server has ended
	count atomic.Int64
}

// startup bounds how long the server may take to accept connections.
const startup = time.Minute

var shared struct {
	sync.Mutex
	server *Server
	err    error
}

// Main runs the tests, then stops the server that Shared started. It returns the
// status for os.Exit.
func Main(m *testing.M) int {
	defer Stop()
	return m.Run()
}

// Stop ends the server that Shared has started, if any.
func Stop() {
	shared.Lock()
	defer shared.Unlock()
	if shared.server != nil {
		shared.server.Stop()
		shared.server = nil
	}
}

// Shared returns the one server of this process, started by the first call. It
// writes without fsync. Callers must end with Stop: see Main.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = start(t, "fsync=off", "full_page_writes=off")
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

// Own starts a server for this test alone, with these settings: name=value.
func Own(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := start(t, settings...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func start(t testing.TB, settings ...string) (*Server, error) {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		t.Skip("PostgreSQL is not installed: apt-get install postgresql")
	}
	slices.Sort(found)
	bin := filepath.Dir(found[len(found)-1])
	who, err := unprivileged()
	if err != nil {
		t.Skipf("PostgreSQL does not run as root, and %v", err)
	}
	dir, err := os.MkdirTemp(folder(settings), "assay-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, ended: make(chan struct{})}
	if err := s.run(bin, who, settings); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// folder returns the folder for a server's files, "" for that of all temporary files.
// A server that does not fsync is kept in memory where 2 GiB of it are free: a busy
// drive can take minutes to delete its several thousand files.
func folder(settings []string) string {
	const memory = "/dev/shm"
	var fs unix.Statfs_t
	if !slices.Contains(settings, "fsync=off") || unix.Statfs(memory, &fs) != nil ||
		fs.Type != unix.TMPFS_MAGIC || fs.Bavail*uint64(fs.Bsize) < 2<<30 {
		return ""
	}
	return memory
}

// unprivileged returns the credential the server runs with: nil for this
// process's user.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

func (s *Server) run(bin string, who *syscall.Credential, settings []string) error {
	if who != nil {
		if err := os.Chown(s.Dir, int(who.Uid), int(who.Gid)); err != nil {
			return err
		}
	}
	data := filepath.Join(s.Dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "assay", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = s.Dir, &syscall.SysProcAttr{Credential: who}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	args := []string{"-D", data, "-k", s.Dir}
	for _, one := range append([]string{"listen_addresses=", "shared_buffers=16MB", "max_connections=80"}, settings...) {
		args = append(args, "-c", one)
	}
	var log bytes.Buffer
	s.cmd = exec.Command(filepath.Join(bin, "postgres"), args...)
	s.cmd.Dir, s.cmd.Stderr = s.Dir, &log
	// SIGQUIT ends it at once if this process dies.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who, Pdeathsig: syscall.SIGQUIT}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the signal comes when the starting thread ends
		defer runtime.UnlockOSThread()
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait()
		}
		close(s.ended)
	}()
	if err := <-started; err != nil {
		return err
	}
	return s.await(&log)
}

// await polls until the server accepts a connection.
func (s *Server) await(log *bytes.Buffer) error {
	ctx, cancel := context.WithTimeout(context.Background(), startup)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			return fmt.Errorf("postgres ended: %s", log.String())
		case <-ctx.Done():
			return fmt.Errorf("postgres does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Stop ends the server, even with clients connected, and removes all its files.
func (s *Server) Stop() {
	if s.cmd != nil && s.cmd.Process != nil {
		_ = s.cmd.Process.Signal(syscall.SIGINT)
		select {
		case <-s.ended:
		case <-time.After(10 * time.Second):
			_ = s.cmd.Process.Kill()
			<-s.ended
		}
	}
	_ = os.RemoveAll(s.Dir)
}

// URL returns the URL of a database on this server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://assay@/%s?host=%s", database, url.QueryEscape(s.Dir))
}

// Database returns the URL of a new, empty database.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", s.count.Add(1))
	s.Exec(t, "postgres", "CREATE DATABASE "+name)
	return s.URL(name)
}

// Exec executes a statement in a database.
func (s *Server) Exec(t testing.TB, database, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startup)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
