package kube

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// shells are those found in images: Debian's, Alpine's, and others.
var shells = [][]string{{"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"mksh"}}

// wait starts the waiter and reads until it is ready or has ended.
func wait(t *testing.T, shell []string, env []string, args ...string) (*exec.Cmd, string) {
	t.Helper()
	path, err := exec.LookPath(shell[0])
	if err != nil {
		t.Skipf("needs %s", shell[0])
	}
	argv := append(shell[1:len(shell):len(shell)], "-c", waiterScript, "sh")
	cmd := exec.Command(path, append(argv, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Only its own group: the sleep of a killed waiter goes too.
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if lines.Text() == "assay: ready" {
			break
		}
	}
	return cmd, said.String()
}

// owned marks a scratch directory as belonging to the pod that this machine
// acts as.
func owned(t *testing.T, dir string) {
	t.Helper()
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".pod"), []byte(space+" "+name+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWaiterRemovesWhatIsItsOwn(t *testing.T) {
	for _, shell := range shells {
		t.Run(shell[0], func(t *testing.T) {
			dirs := []string{filepath.Join(t.TempDir(), "a b"), t.TempDir(), filepath.Join(t.TempDir(), "missing")}
			outside := t.TempDir()
			dirsAt := func(names ...string) {
				for _, n := range names {
					if err := os.MkdirAll(n, 0o700); err != nil {
						t.Fatal(err)
					}
				}
			}
			kept := []string{dirs[0] + "/.assay-before01", dirs[1] + "/.assay-before02/deep"}
			dirsAt(kept...)
			cmd, said := wait(t, shell, nil, append([]string{"sh"}, dirs...)...)
			if said != "assay: ready\n" {
				t.Fatalf("it says %q", said)
			}
			link := dirs[1] + "/.assay-link0001"
			if err := os.Symlink(outside, link); err != nil {
				t.Fatal(err)
			}
			kept = append(kept, link, outside, dirs[0]+"/other", dirs[0]+"/.assay-New", dirs[1]+"/.assay-before02/.assay-inside01")
			dirsAt(kept[3:]...)
			others := dirs[0] + "/.assay-0others"
			kept = append(kept, others)
			dirsAt(others)
			if err := os.WriteFile(others+"/.pod", []byte("pid:[1] another\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			gone := []string{dirs[0] + "/.assay-0new00", dirs[1] + "/.assay-1new11"}
			dirsAt(gone[0]+"/x", gone[1])
			for _, dir := range append(gone, dirs[0]+"/.assay-New", outside) {
				owned(t, dir)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v", err)
			}
			for _, path := range kept {
				if _, err := os.Lstat(path); err != nil {
					t.Errorf("%v: it is not the pod's, or is not scratch", err)
				}
			}
			for _, path := range gone {
				if _, err := os.Lstat(path); err == nil {
					t.Errorf("%s is left", path)
				}
			}
		})
	}
}

// TestWaiterInstalls uses a package manager that creates programs named after
// the packages.
func TestWaiterInstalls(t *testing.T) {
	for manager, ping := range map[string]string{"apk": "iputils", "apt-get": "iputils-ping"} {
		for _, shell := range shells {
			t.Run(manager+" "+shell[0], func(t *testing.T) {
				bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
				script := "#!/bin/sh\necho \"$@\" >>" + log + "\ncase \"$*\" in *assay-a*assay-b*) printf '#!/bin/sh\\n' >" + bin + "/assay-a; cp " + bin + "/assay-a " + bin + "/assay-b; chmod +x " + bin + "/*;; esac\n"
				if err := os.WriteFile(filepath.Join(bin, manager), []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
				_, said := wait(t, shell, []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, "sh assay-a assay-b")
				if said != "assay: installing assay-a assay-b\nassay: ready\n" {
					t.Errorf("it says %q", said)
				}
				asked, _ := os.ReadFile(log)
				if lines := strings.Split(strings.TrimSpace(string(asked)), "\n"); !strings.HasSuffix(lines[len(lines)-1], "assay-a assay-b") || !strings.Contains(lines[len(lines)-1], " ") {
					t.Errorf("%s was asked for %q", manager, asked)
				}
				// If that fails the pod ends, and says what is missing.
				cmd, said := wait(t, shell, []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, "assay-c")
				if !strings.Contains(said, "assay: could not install assay-c\n") || cmd.Wait() == nil {
					t.Errorf("it says %q", said)
				}
				out, err := exec.Command(shell[0], append(shell[1:len(shell):len(shell)], "-c", functions(t)+"packages "+ping+" fio ping iperf3", "sh")...).Output()
				if err != nil || string(out) != "fio\n"+ping+"\niperf3\n" {
					t.Errorf("packages %q, %v", out, err)
				}
			})
		}
	}
}

// functions returns the waiter's script without its main part.
func functions(t *testing.T) string {
	t.Helper()
	text, _, found := strings.Cut(waiterScript, "trap 'finish")
	if !found {
		t.Fatal("the script begins in another way")
	}
	return strings.Replace(text, "wanted=$1\nshift\n", "", 1)
}
