package guest_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/interrupts"
	"assay/internal/powershell"
	"assay/lab/vms/standin"
	"assay/place/guest"
	"assay/place/local"
	"assay/place/placetest"
	"assay/place/remote"
)

// The guest is this machine: a real qemu-ga listens on a socket here. virsh and
// qm, which connect to it, need a hypervisor; this test's binary stands in for
// them.
func TestMain(m *testing.M) {
	standin.Main()
	switch filepath.Base(os.Args[0]) {
	case "taskkill.exe":
		os.Exit(taskkill(os.Args[1:]))
	case powershell.Program:
		os.Exit(shell(os.Args))
	}
	interrupts.Reach()
	os.Exit(m.Run())
}

// hypervisor is this machine, with the stand-ins ahead of its own programs.
type hypervisor struct {
	assay.Place
	env []string
}

func (h hypervisor) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	c.Argv = append(append([]string{"env"}, h.env...), c.Argv...)
	return h.Place.Run(ctx, c)
}

// serve starts an agent, and returns the hypervisor through which it is
// reached.
func serve(t *testing.T) assay.Place {
	t.Helper()
	agent, err := exec.LookPath("qemu-ga")
	if err != nil {
		if agent = "/usr/sbin/qemu-ga"; exec.Command(agent, "--version").Run() != nil {
			t.Skip("needs qemu-ga: apt-get install qemu-guest-agent")
		}
	}
	dir, err := os.MkdirTemp("", "qga-") // short, for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"virsh", "qm", "taskkill.exe", powershell.Program} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(agent, "--method=unix-listen", "--path="+socket, "--statedir="+dir, "--pidfile="+filepath.Join(dir, "pid"))
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for end := time.Now().Add(10 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		// The socket is there before anything listens on it.
		c, err := net.Dial("unix", socket)
		if err == nil {
			_ = c.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatalf("qemu-ga does not listen: %v", err)
		}
	}
	return hypervisor{local.New("pve1", ""), []string{standin.Where + "=unix:" + socket, "PATH=" + dir + ":" + os.Getenv("PATH")}}
}

func agentOf(t *testing.T, word, name string) guest.Agent {
	t.Helper()
	for _, k := range guest.Kinds {
		if k.Word == word {
			if !k.Valid(name) {
				t.Fatalf("%q is no %s", name, k.What)
			}
			return k.Agent(name)
		}
	}
	t.Fatalf("no kind %s", word)
	return guest.Agent{}
}

// Both hypervisors' commands pass the suite, and nothing is left in the guest.
func TestConformance(t *testing.T) {
	for word, name := range map[string]string{"libvirt": "db", "proxmox": "101"} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			at := serve(t)
			placetest.Test(t, func(t *testing.T) assay.Place {
				return guest.New(assay.Host{Name: "db"}, guest.Options{Hypervisor: at, Agent: agentOf(t, word, name), Mark: "run-" + word})
			})
		})
	}
}

// A finished command leaves no directory in the guest.
func TestNothingIsLeft(t *testing.T) {
	p := guest.New(assay.Host{Name: "db"}, guest.Options{Hypervisor: serve(t), Agent: agentOf(t, "libvirt", "db")})
	// The command's own stdin is the pipe in its directory.
	out, err := p.Run(t.Context(), assay.Cmd{Argv: []string{"sh", "-c", `readlink -f "/proc/$(ps -o ppid= -p $$ | tr -d ' ')/fd/../cwd"; for f in /proc/[0-9]*/fd/*; do readlink "$f"; done 2>/dev/null | grep -o '/[a-z/]*/.assay-guest-[A-Za-z0-9]*' | sort -u`}})
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(out.Stdout))[1:]
	if len(dirs) == 0 {
		t.Fatalf("no session has a directory: %s", out.Stdout)
	}
	left := func() (there []string) {
		for _, d := range dirs {
			if _, err := os.Stat(d); err == nil {
				there = append(there, d)
			}
		}
		return there
	}
	// Other tests' directories go when those tests end.
	for end := time.Now().Add(10 * time.Minute); len(left()) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("left in the guest: %q", left())
		}
	}
}

// A guest without an agent is a host that is gone, with a hint at what to do.
func TestNoAgent(t *testing.T) {
	for said, hint := range map[string]string{ // what virsh and qm print
		"error: Guest agent is not responding: QEMU guest agent is not connected": "qemu-guest-agent",
		"error: Requested operation is not valid: domain is not running":          "virsh start",
		"error: failed to get domain 'db'":                                        "virsh list",
		"QEMU guest agent is not running":                                         "qemu-guest-agent",
		"No QEMU guest agent configured":                                          "--agent 1",
		"VM 101 is not running":                                                   "qm start",
		"Configuration file 'nodes/pve1/qemu-server/101.conf' does not exist":     "qm list",
		// https://github.com/BassT23/Proxmox/issues/256
		"Agent error: Command guest-exec has been disabled: the command is not allowed": "qemu-ga",
		"error: something new": "",
	} {
		p := guest.New(assay.Host{Name: "db"}, guest.Options{Hypervisor: mute{said}, Agent: agentOf(t, "proxmox", "101")})
		_, err := p.Run(t.Context(), assay.Cmd{Argv: []string{"true"}})
		if !errors.Is(err, assay.ErrHostGone) || !strings.Contains(err.Error(), "host db: VM 101: ") || !strings.Contains(assay.Hint(err), hint) {
			t.Errorf("%s: %v, hint %q", said, err, assay.Hint(err))
		}
	}
}

// mute is a hypervisor whose guest does not answer.
type mute struct{ said string }

func (m mute) Host() assay.Host { return assay.Host{Name: "pve1"} }
func (m mute) Close() error     { return nil }
func (m mute) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{Stderr: []byte(m.said + "\n"), Exit: 1}, nil
}

// A command's stdin is in no argument list on the hypervisor.
func TestStdinIsNoArgument(t *testing.T) {
	const secret = "s3cret-of-the-bucket"
	for word, name := range map[string]string{"libvirt": "db", "proxmox": "101"} {
		spy := &spy{Place: serve(t)}
		p := guest.New(assay.Host{Name: "db"}, guest.Options{Hypervisor: spy, Agent: agentOf(t, word, name)})
		out, err := p.Run(t.Context(), assay.Cmd{Argv: []string{"cat"}, Stdin: []byte(secret)})
		if err != nil || string(out.Stdout) != secret {
			t.Fatalf("%s: %q, %v", word, out.Stdout, err)
		}
		if words := strings.Join(spy.words, " "); strings.Contains(words, secret) || strings.Contains(words, base64.StdEncoding.EncodeToString([]byte(secret))[:20]) {
			t.Errorf("%s: the secret is in %s", word, words)
		}
	}
}

type spy struct {
	assay.Place
	words []string
}

func (s *spy) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	s.words = append(s.words, c.Argv...)
	return s.Place.Run(ctx, c)
}

func TestNames(t *testing.T) {
	for word, names := range map[string]map[string]bool{
		"libvirt": {"db": true, "web-1.lan": true, "101-web": true, "7.1": true, "7f3c0f0e-1111-4222-8333-444455556666": true, "11111111-1111-4222-8333-444455556666": true, "7": false, "101": false, "-c": false, "a b": false, "a';reboot": false, "": false},
		"proxmox": {"100": true, "9000": true, "99": false, "0100": false, "all": false, "101;reboot": false, "--help": false},
	} {
		k := guest.Kinds[slices.IndexFunc(guest.Kinds, func(k guest.Kind) bool { return k.Word == word })]
		for name, valid := range names {
			if k.Valid(name) != valid {
				t.Errorf("%s %q: valid is %v", word, name, !valid)
			}
		}
	}
}

// forgetful is a hypervisor whose nth request to write to a session fails, and no other.
type forgetful struct {
	assay.Place
	nth   int
	wrote int // a guest's requests are made one at a time
}

func (f *forgetful) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if asked := string(c.Stdin); strings.Contains(asked, "$1/in") && !strings.Contains(asked, "$1/out") {
		if f.wrote++; f.wrote == f.nth {
			return assay.Output{Stderr: []byte("error: Guest agent is not responding: timed out\n"), Exit: 1}, nil
		}
	}
	return f.Place.Run(ctx, c)
}

// A command that does not get to the guest whole, because the agent failed for a moment,
// is lost at once, with the agent's words. The next one runs.
func TestAgentThatFailsOnce(t *testing.T) {
	for n, part := range []string{"order", "stdin", "go"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			at := &forgetful{Place: serve(t), nth: n + 1}
			p := guest.New(assay.Host{Name: "db"}, guest.Options{Hypervisor: at, Agent: agentOf(t, "libvirt", "db")})
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			run := func() (assay.Output, error) {
				return p.Run(ctx, assay.Cmd{Argv: []string{"sh"}, Stdin: []byte("echo ran")})
			}
			out, err := run()
			if !errors.Is(err, remote.ErrLost) || !strings.Contains(err.Error(), "before sh began") || !strings.Contains(err.Error(), "does not answer") || len(out.Stdout) > 0 {
				t.Errorf("%q, %v", out.Stdout, err)
			}
			if out, err = run(); err != nil || string(out.Stdout) != "ran\n" {
				t.Errorf("afterwards: %q, %v", out.Stdout, err)
			}
		})
	}
}

// lastWords reports whether the answer is the last one about a session: all of its output has
// been read.
func lastWords(answer assay.Output) bool {
	_, reply, _ := strings.Cut(string(answer.Stdout), `{"return":`)
	var said struct {
		Out []byte `json:"out-data"`
	}
	return json.NewDecoder(strings.NewReader(reply)).Decode(&said) == nil && strings.HasSuffix(string(said.Out), "\nover\n")
}

// lossy is a hypervisor that loses the first answer with a session's last words.
type lossy struct {
	assay.Place
	lost bool
}

func (l *lossy) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	answer, err := l.Place.Run(ctx, c)
	if !l.lost && lastWords(answer) {
		l.lost = true
		return assay.Output{Stderr: []byte("error: Guest agent is not responding: timed out\n")}, nil
	}
	return answer, err
}

// An agent forgets what a program printed once it has told. If that answer gets lost, nothing
// of the command's output does.
func TestLastAnswerIsLost(t *testing.T) {
	at := &lossy{Place: serve(t)}
	p := guest.New(assay.Host{Name: "db"}, guest.Options{Hypervisor: at, Agent: agentOf(t, "libvirt", "db")})
	out, err := p.Run(t.Context(), assay.Cmd{Argv: []string{"sh", "-c", "echo whole; echo errors >&2"}})
	if err != nil || string(out.Stdout) != "whole\n" || string(out.Stderr) != "errors\n" || !at.lost {
		t.Errorf("%q, %q, %v; an answer was lost: %v", out.Stdout, out.Stderr, err, at.lost)
	}
}

// haunted is a hypervisor whose agent, once a session has ended, tells that session's last words
// first when it is asked about a new program.
type haunted struct {
	assay.Place
	ghost *assay.Output
	fresh bool // nothing was asked yet about the newest program
	told  int
}

func (h *haunted) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	switch {
	case strings.Contains(string(c.Stdin), `"execute":"guest-exec"`):
		h.fresh = true
	case h.fresh && h.ghost != nil:
		h.fresh = false
		h.told++
		return *h.ghost, nil
	}
	answer, err := h.Place.Run(ctx, c)
	if h.ghost == nil && lastWords(answer) {
		h.ghost = &answer
	}
	return answer, err
}

// A guest reuses process ids. If the agent still remembers an earlier program of that id, it
// tells of that one first, which must not pass for the answer of the new one.
func TestProcessIDsAreReused(t *testing.T) {
	at := &haunted{Place: serve(t)}
	p := guest.New(assay.Host{Name: "db"}, guest.Options{Hypervisor: at, Agent: agentOf(t, "libvirt", "db")})
	for n := range 2 {
		out, err := p.Run(t.Context(), assay.Cmd{Argv: []string{"sh", "-c", "cat; seq 3"}, Stdin: []byte("input\n")})
		if err != nil || string(out.Stdout) != "input\n1\n2\n3\n" {
			t.Errorf("command %d: %q, %v", n, out.Stdout, err)
		}
	}
	if at.told < 5 {
		t.Errorf("the agent told of an earlier program %d times", at.told)
	}
}
