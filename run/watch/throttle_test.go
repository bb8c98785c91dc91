package watch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Two packages of two cores of two threads. Siblings, and all CPUs of a
// package, count the same event, and one of them may have missed some.
func TestAThrottlingEventCountsOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), `a "fake" tree`)
	write := func(path string, value any) {
		t.Helper()
		file := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, fmt.Appendln(nil, value), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("proc/uptime", "1.00 1.00")
	write("proc/stat", "cpu 1 2 3 4")
	cores, packages := []int{5, 0, 7, 1}, []int{100, 30}
	for cpu := range 8 {
		core := cpu % 4 // cpu and cpu+4 are siblings
		dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/", cpu)
		write(dir+"topology/physical_package_id", core/2)
		write(dir+"topology/core_id", core%2)
		write(dir+"thermal_throttle/core_throttle_count", max(cores[core]-cpu/4, 0))
		write(dir+"thermal_throttle/package_throttle_count", packages[core/2]-cpu/4)
	}
	for _, shell := range []string{"sh", "dash", "bash", "busybox"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed: not tested under it", shell)
			continue
		}
		args := []string{"-s", "--", "once", "", ""}
		if shell == "busybox" {
			args = append([]string{"sh"}, args...)
		}
		cmd := exec.Command(path, args...)
		cmd.Env = append(os.Environ(), "ASSAY_ROOT="+root)
		in, err := os.Open("watch.sh")
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		cmd.Stdin = in
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", shell, err)
		}
		s, _, err := parseSnapshot(out)
		if err != nil {
			t.Fatal(err)
		}
		if want := int64(5 + 0 + 7 + 1 + 100 + 30); s.Throttles != want {
			t.Errorf("%s: %d events, want %d\n%s", shell, s.Throttles, want, out)
		}
	}
}

func TestThrottlesWithoutATopology(t *testing.T) {
	for in, want := range map[string]int64{
		"X - 4\nX - 6\nX -/cpu0 1\nX -/cpu1 2\n": 6 + 1 + 2,
		"X 0 0\n":                                0,
		"X 0 -1\nX 1 NaN\nX 2\nX\n":              -1,
		"X 0 9e18\nX 0/1 3\n":                    3,
		"X 0 5\nX 0 5\nX 0 5\nX 1 1\n":           6,
	} {
		s, _, err := parseSnapshot([]byte("U 1\nC cpu 1 2 3 4\n" + in))
		if err != nil || s.Throttles != want {
			t.Errorf("%q: %d, %v; want %d", in, s.Throttles, err, want)
		}
	}
}
