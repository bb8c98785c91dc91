package inventory

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// askedOf has the directories and tools to ask each fake machine about.
var askedOf = map[string]struct{ dirs, tools []string }{
	"m920q": {
		[]string{"/srv/vm/bench", "/tank/data/x", "/mnt/nfs", "/dev/shm", `/mnt/my stick/it's "here"`, "/mnt/image", "/mnt/emmc", "/no/such; touch x"},
		[]string{"fio", "smartctl", "sysbench"},
	},
	"container": {[]string{"/bench", "/data", "/host/merged"}, []string{"dd", "fio"}},
	"laptop":    {[]string{"/tank/x"}, nil},
	"pi":        {[]string{"/var/tmp", "/mnt/disk"}, nil},
}

// shells returns the shells on this machine that the script must run under,
// each with the programs it should find: the usual ones, or BusyBox's own.
func shells(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, name := range []string{"sh", "dash", "bash"} {
		if path, err := exec.LookPath(name); err == nil {
			found[name] = []string{path}
		}
	}
	if path, err := exec.LookPath("busybox"); err == nil {
		found["busybox"] = []string{path, "sh"}
	} else {
		t.Log("busybox is not installed: not tested under its shell")
	}
	return found
}

// lay builds a machine from its .tree file and returns its root and a search
// path that holds only its own programs and the basic ones.
func lay(t *testing.T, machine, shell string, argv []string) (root, path string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "bin")
	for _, program := range []string{"awk", "sed", "grep", "cat", "timeout", "true", "cut", "head"} {
		target := argv[0]
		if shell != "busybox" {
			if target, err = exec.LookPath(program); err != nil {
				continue
			}
		}
		link(t, filepath.Join(bin, program), target)
	}
	raw, err := os.ReadFile("testdata/machines/" + machine + ".tree")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		text := func() string {
			var b strings.Builder
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\t") {
				i++
				b.WriteString(lines[i][1:] + "\n")
			}
			return b.String()
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, ok := strings.CutSuffix(line, " <<"); ok {
			if program, ok := strings.CutPrefix(name, "!"); ok {
				write(t, filepath.Join(bin, program), "#!/bin/sh\n"+text(), 0o755)
			} else {
				write(t, root+name, text(), 0o644)
			}
		} else if from, to, ok := strings.Cut(line, " -> "); ok {
			link(t, root+from, root+to)
		} else if file, value, ok := strings.Cut(line+" ", " = "); ok {
			write(t, root+file, value[:max(len(value)-1, 0)]+"\n", 0o644)
		} else if err := os.MkdirAll(root+line, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root, bin
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(from), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, from); err != nil {
		t.Fatal(err)
	}
}

// ask runs the real script on a fake machine.
func ask(t *testing.T, machine, shell string, argv []string) []byte {
	t.Helper()
	root, path := lay(t, machine, shell, argv)
	asked := askedOf[machine]
	args := append(append([]string{}, argv[1:]...), "-s", "--", string(rune('0'+len(asked.dirs))))
	cmd := exec.Command(argv[0], append(append(args, asked.dirs...), asked.tools...)...)
	cmd.Env = []string{"PATH=" + path, "ASSAY_ROOT=" + root}
	cmd.Stdin = bytes.NewReader(script)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s under %s: %v\n%s", machine, shell, err, stderr.Bytes())
	}
	if stderr.Len() > 0 {
		t.Errorf("%s under %s printed on stderr: %s", machine, shell, stderr.Bytes())
	}
	if _, err := os.Lstat(root + "/x"); err == nil {
		t.Errorf("%s under %s: a directory's name was run as a command", machine, shell)
	}
	// The test's programs live under a path of its own.
	out = bytes.ReplaceAll(out, []byte(path+"/"), []byte("/usr/bin/"))
	return bytes.ReplaceAll(out, []byte(root), nil)
}

func TestMachines(t *testing.T) {
	for machine := range askedOf {
		for shell, argv := range shells(t) {
			t.Run(machine+"/"+shell, func(t *testing.T) {
				f, err := Parse(ask(t, machine, shell, argv))
				if err != nil {
					t.Fatal(err)
				}
				f.Host = machine
				path := "testdata/machines/" + machine + ".json"
				if shell != "busybox" {
					golden(t, path, known{f, Subjects(f, askedOf[machine].dirs)})
					return
				}
				raw, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				var want known
				if err := json.Unmarshal(raw, &want); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(ofKernel(want.Facts), ofKernel(f)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

type known struct {
	Facts    assay.Facts
	Subjects []assay.Subject
}

// ofKernel leaves out what comes from df, id, uname, date and dd: BusyBox's
// shell may prefer its own applets to the fake machine's programs.
func ofKernel(f assay.Facts) assay.Facts {
	f.Taken, f.Root, f.DropCaches, f.OS.Arch = time.Time{}, false, false, ""
	f.Missing, f.Tools = nil, nil
	f.Dirs = append([]assay.DirFacts{}, f.Dirs...)
	for i := range f.Dirs {
		f.Dirs[i].Bytes, f.Dirs[i].Free, f.Dirs[i].Inodes, f.Dirs[i].FreeInodes = 0, 0, 0, 0
	}
	return f
}

func TestCaptures(t *testing.T) {
	for _, name := range []string{"firecracker", "busybox"} {
		raw, err := os.ReadFile("testdata/captures/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		golden(t, "testdata/captures/"+name+".json", f)
	}
}

func golden(t *testing.T, path string, v any) {
	t.Helper()
	got, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(string(want)), string(got)); diff != "" {
		t.Errorf("%s: -want +got:\n%s", path, diff)
	}
}
