package hosts

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// patience tells slow from hung.
const patience = 10 * time.Minute

// testContext ends with the test, before go test's own timeout.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func needLab(t *testing.T) {
	t.Helper()
	if err := Missing(); err != nil {
		t.Skip(err)
	}
}

func up(t *testing.T, all []Host) *Lab {
	t.Helper()
	needLab(t)
	l, err := Up(testContext(t), filepath.Join(t.TempDir(), "lab"), all)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := l.Down(ctx); err != nil {
			t.Error(err)
		}
	})
	return l
}

// ssh logs in as a user would, and returns the host's output on both streams.
func ssh(t *testing.T, l *Lab, host string, command ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	argv := append([]string{"-F", l.Config(), "-o", "BatchMode=yes", "-o", "ConnectTimeout=30", host, "--"}, command...)
	out, err := exec.CommandContext(ctx, "ssh", argv...).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func mustSSH(t *testing.T, l *Lab, host string, command ...string) string {
	t.Helper()
	out, err := ssh(t, l, host, command...)
	if err != nil {
		t.Fatalf("%s: %q: %v: %s", host, command, err, out)
	}
	return out
}

// eventually polls until ok, or fails naming what it waited for.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

// The kinds of objects that a lab creates on the machine.
var traceKinds = []string{"process", "link", "loop", "bound", "file"}

// namespaces returns the network namespaces of a lab.
func namespaces(l *Lab) map[string]bool {
	all := map[string]bool{}
	for _, pid := range l.processes().Alive() {
		if ns, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", pid)); err == nil {
			all[ns] = true
		}
	}
	return all
}

// traces returns everything of a lab that is on the machine, by kind. ns are
// the namespaces that it had.
func traces(l *Lab, ns map[string]bool) map[string][]string {
	found := map[string][]string{}
	procs, _ := filepath.Glob("/proc/[0-9]*")
	taken := takenOver(procs, l.state.ID)
	for _, p := range procs {
		at, _ := os.Readlink(p + "/ns/net")
		environ, _ := os.ReadFile(p + "/environ")
		mounts, _ := os.ReadFile(p + "/mountinfo")
		if ns[at] && !taken[at] || bytes.Contains(environ, []byte(l.state.ID)) || bytes.Contains(mounts, []byte(l.Dir+"/")) {
			found["process"] = append(found["process"], p)
		}
	}
	if links, err := net.Interfaces(); err == nil {
		for _, link := range links {
			if link.Name == l.laptopNIC() && link.Index == l.state.Cable {
				found["link"] = append(found["link"], link.Name)
			}
		}
	}
	backings, _ := filepath.Glob("/sys/class/block/loop*/loop/backing_file")
	for _, file := range backings {
		if b, _ := os.ReadFile(file); bytes.HasPrefix(b, []byte(l.Dir+"/")) {
			found["loop"] = append(found["loop"], file)
		}
	}
	bounds, _ := filepath.Glob(cgroup1 + "/blkio.throttle.*_device")
	for _, file := range bounds {
		b, _ := os.ReadFile(file)
		for _, numbers := range l.state.Bounded {
			backing, _ := os.ReadFile("/sys/dev/block/" + numbers + "/loop/backing_file")
			foreign := len(backing) > 0 && !bytes.HasPrefix(backing, []byte(l.Dir+"/"))
			if !foreign && strings.Contains("\n"+string(b), "\n"+numbers+" ") {
				found["bound"] = append(found["bound"], file+": "+numbers)
			}
		}
	}
	if groups, _ := filepath.Glob(groupOf(l.state.ID) + "/*"); len(groups) > 0 {
		found["bound"] = append(found["bound"], groups...)
	}
	if _, err := os.Stat(l.Dir); err == nil {
		found["file"] = append(found["file"], l.Dir)
	}
	return found
}

// labMark matches the environment variable that names the lab of any lab's process.
var labMark = regexp.MustCompile(`ASSAY_(?:[A-Z]+_)?LAB=([0-9a-f]{16})\x00`)

// takenOver returns the namespaces that hold processes of labs other than id: the
// kernel reuses the number of a removed namespace.
func takenOver(procs []string, id string) map[string]bool {
	taken := map[string]bool{}
	for _, p := range procs {
		environ, _ := os.ReadFile(p + "/environ")
		if m := labMark.FindSubmatch(environ); m != nil && string(m[1]) != id {
			if at, err := os.Readlink(p + "/ns/net"); err == nil {
				taken[at] = true
			}
		}
	}
	return taken
}

// gone fails if anything of a lab is left.
func gone(t *testing.T, l *Lab, ns map[string]bool) {
	t.Helper()
	for kind, what := range traces(l, ns) {
		t.Errorf("left: %s: %v", kind, what)
	}
}
