package ssh_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/place/ssh"
)

// guest is an unprivileged user that exists only on the test's server.
const guest = "assayguest"

// machine describes the server's host. The zero value lets root in, with the
// shell sh.
type machine struct {
	shell   string            // of the user who logs in
	sh      string            // the program that is /bin/sh there, "" for this machine's
	user    string            // "" for root
	sudoers string            // /etc/sudoers
	files   map[string]string // in the user's home
	sshd    []string          // more lines for sshd_config
}

// server is a real sshd on loopback, in its own process and mount namespaces,
// so that it can have another /etc/passwd and leaves nothing behind.
type server struct {
	t    *testing.T
	dir  string
	port int
	user string
	cmd  *exec.Cmd
}

// serve starts m. It skips the test if this machine cannot do that.
func serve(t *testing.T, m machine) *server {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root: a server with users of its own wants namespaces")
	}
	for _, need := range []string{"/usr/sbin/sshd", "ssh", "ssh-keygen", "unshare"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("needs %s", need)
		}
	}
	if out, err := exec.Command("unshare", "-m", "-p", "-f", "--mount-proc", "true").CombinedOutput(); err != nil {
		t.Skipf("needs namespaces: %v: %s", err, out)
	}
	s := &server{t: t, dir: t.TempDir(), user: "root"}
	for dir := s.dir; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755)) // guest must pass through
	}
	s.key("host")
	s.key("user")
	s.home(m)
	for try := 0; ; try++ {
		s.port = freePort(t)
		if s.start(m) {
			break
		}
		if try == 3 {
			t.Fatalf("sshd does not start: %s", s.log())
		}
	}
	s.trust("host")
	s.write("ssh_config", fmt.Sprintf(`Host target
HostName 127.0.0.1
Port %d
User %s
IdentityFile %s/user
IdentitiesOnly yes
UserKnownHostsFile %s/known_hosts
GlobalKnownHostsFile /dev/null
StrictHostKeyChecking yes
`, s.port, s.user, s.dir, s.dir))
	t.Cleanup(s.stop)
	return s
}

// start starts sshd and waits until it listens; it returns false if sshd ends
// instead. The default key exchange, which is post-quantum, costs a tenth of a second
// a connection, and assay has no part in it.
func (s *server) start(m machine) bool {
	s.write("sshd_config", fmt.Sprintf(`Port %d
ListenAddress 127.0.0.1
KexAlgorithms curve25519-sha256
HostKey %[2]s/host
AuthorizedKeysFile %[2]s/user.pub
StrictModes no
UsePAM no
PidFile none
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
LogLevel ERROR
%[3]s
`, s.port, s.dir, strings.Join(m.sshd, "\n")))
	script := `set -e
mount -t tmpfs tmpfs /run
mkdir -m 755 /run/sshd
mount --bind "$1/passwd" /etc/passwd
if [ -f "$1/sudoers" ]; then mount --bind "$1/sudoers" /etc/sudoers; fi
if [ -n "$2" ]; then mount --bind "$2" "$(readlink -f /bin/sh)"; fi
exec /usr/sbin/sshd -D -e -f "$1/sshd_config" 2>>"$1/log"
`
	sh := ""
	if m.sh != "" {
		sh = program(s.t, m.sh)
	}
	s.cmd = exec.Command("unshare", "-m", "-p", "-f", "--kill-child", "--mount-proc", "sh", "-c", script, "sh", s.dir, sh)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(s.t, s.cmd.Start())
	ended := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(ended) }()
	for {
		select {
		case <-ended:
			return false
		default:
		}
		if s.answers() {
			s.t.Cleanup(func() { _ = s.cmd.Process.Kill(); <-ended })
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// answers reports whether an sshd sends its version at the port. A successful
// connection is no proof: if nobody listens, one from a port chosen by the kernel may
// connect to itself.
func (s *server) answers() bool {
	c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		return false
	}
	defer c.Close()
	if c.LocalAddr().String() == c.RemoteAddr().String() {
		return false
	}
	version := make([]byte, len("SSH-"))
	_, err = io.ReadFull(c, version)
	return err == nil && string(version) == "SSH-"
}

// home sets up who may log in, with which shell and home.
func (s *server) home(m machine) {
	shell := m.shell
	if shell == "" {
		shell = "/bin/sh"
	}
	home := filepath.Join(s.dir, "home")
	must(s.t, os.Mkdir(home, 0o755))
	for name, text := range m.files {
		must(s.t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755))
		must(s.t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o644))
	}
	lines := []string{"sshd:*:990:65534::/run/sshd:/usr/sbin/nologin", "nobody:*:65534:65534::/nonexistent:/usr/sbin/nologin"}
	root := "root:*:0:0::" + home + ":"
	if m.user == guest {
		s.user = guest
		lines = append(lines, root+"/bin/sh", guest+":*:4711:4711::"+home+":"+shell)
		must(s.t, os.Chown(home, 4711, 4711))
	} else {
		lines = append(lines, root+shell)
	}
	s.write("passwd", strings.Join(lines, "\n")+"\n")
	if m.sudoers != "" {
		s.write("sudoers", m.sudoers)
		must(s.t, os.Chmod(filepath.Join(s.dir, "sudoers"), 0o440))
	}
}

// place returns the place on s, using the user's ssh configuration.
func (s *server) place(o ssh.Options) *ssh.Place {
	if o.Address == "" {
		o.Address = "target"
	}
	o.ConfigFile = filepath.Join(s.dir, "ssh_config")
	p := ssh.New(assay.Host{Name: "pve1"}, o)
	s.t.Cleanup(func() { _ = p.Close() })
	return p
}

func (s *server) write(name, text string) {
	must(s.t, os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644))
}

func (s *server) read(name string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	must(s.t, err)
	return string(b)
}

func (s *server) log() string {
	b, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return string(b)
}

func (s *server) key(name string) {
	out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", filepath.Join(s.dir, name)).CombinedOutput()
	if err != nil {
		s.t.Fatalf("ssh-keygen: %v: %s", err, out)
	}
}

// trust makes the client accept only that key as the host's.
func (s *server) trust(key string) {
	s.write("known_hosts", fmt.Sprintf("[127.0.0.1]:%d %s", s.port, s.read(key+".pub")))
}

// processes returns those on the server's host, without the listening sshd, as
// command lines by PID.
func (s *server) processes() map[int]string {
	found := map[int]string{}
	// unshare's child is the first process in its namespace.
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", s.cmd.Process.Pid))
	first := strings.TrimSpace(string(children))
	space, err := os.Readlink("/proc/" + first + "/ns/pid")
	if err != nil {
		return found
	}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if where, _ := os.Readlink(dir + "/ns/pid"); where != space || filepath.Base(dir) == first {
			continue
		}
		line, _ := os.ReadFile(dir + "/cmdline")
		if text := strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " ")); text != "" {
			found[pid] = text // a zombie has none
		}
	}
	return found
}

// expectEmpty fails if anything is left on the host once nobody is logged in.
func (s *server) expectEmpty() {
	s.t.Helper()
	if !eventually(func() bool { return len(s.processes()) == 0 }) {
		s.t.Errorf("left on the host: %v", s.processes())
	}
}

// cut kills the server's side of every connection.
func (s *server) cut() {
	for pid, line := range s.processes() {
		if strings.HasPrefix(line, "sshd: ") {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func (s *server) stop() {
	if s.t.Failed() {
		s.t.Logf("sshd said:\n%s", s.log())
	}
}

// patience tells slow from hung.
const patience = 10 * time.Minute

// eventually polls until yes holds or patience runs out.
func eventually(yes func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if yes() {
			return true
		}
	}
	return yes()
}

func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// program finds a program that a test needs, and skips the test if it is
// missing.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("needs %s", name)
	}
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
