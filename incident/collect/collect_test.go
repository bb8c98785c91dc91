package collect_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/incident"
	"assay/incident/blame"
	"assay/incident/collect"
)

// host answers with a clock that is ahead.
type host struct {
	ahead  time.Duration
	prints string
	exit   int
}

func (h host) Host() assay.Host { return assay.Host{Name: "pve4"} }
func (h host) Close() error     { return nil }
func (h host) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	now := time.Date(2026, 2, 22, 12, 0, 0, 0, time.UTC)
	out := assay.Output{Started: now, Elapsed: 20 * time.Millisecond, Exit: h.exit}
	if c.Argv[0] == "date" {
		there := now.Add(h.ahead + out.Elapsed/2)
		out.Stdout = fmt.Appendf(nil, "%d.%09d\n", there.Unix(), there.Nanosecond())
		return out, nil
	}
	out.Stdout = []byte(h.prints)
	return out, nil
}

const answer = `motd of the day
@assay kernel log
2026-02-22T12:00:30+0000 agent-4 kernel: blk_update_request: critical medium error, dev sdk, sector 2971096
2026-02-22T12:00:31+0000 agent-4 kernel: EXT4-fs error (device sdk): ext4_find_entry:1455: inode #2

@assay block tree
{
   "blockdevices": [
      {"name":"sdk", "tran":"iscsi", "vendor":"IET     ", "model":"VIRTUAL-DISK", "type":"disk", "mountpoint":"/var/lib/kubelet/plugins/kubernetes.io/csi/driver.longhorn.io/x/globalmount"}
   ]
}

@assay-absent SMART	not supported: neither smartctl nor nvme is installed
`

func TestAHostsRecords(t *testing.T) {
	a, err := collect.Host(t.Context(), host{ahead: 29 * time.Second, prints: answer}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	want := []collect.Record{{Name: "kernel log", Lines: 2}, {Name: "block tree", Lines: 5}, {Name: "SMART", Absent: "not supported: neither smartctl nor nvme is installed"}}
	if !slices.Equal(a.Records, want) {
		t.Errorf("records %+v", a.Records)
	}
	if got := a.Clock.String(); got != "29.00 s ahead of this machine's (± 0.01 s)" {
		t.Errorf("clock %s", got)
	}
	first := a.Log.Events[0]
	if first.Host != "pve4" || !first.First.Wall.Equal(time.Date(2026, 2, 22, 12, 0, 1, 0, time.UTC)) || first.Source.File != "pve4: kernel log" || first.Source.Line != 1 {
		t.Errorf("%+v", first)
	}
	if !slices.ContainsFunc(a.Log.Events, func(e incident.Event) bool {
		return e.Kind == incident.ClockSkew && strings.Contains(e.Text, "29.00 s ahead")
	}) {
		t.Errorf("the clock is no event: %+v", a.Log.Events)
	}
	if d := a.Log.Stack.Find("pve4", "sdk"); d.Transport != incident.ISCSI {
		t.Errorf("%+v", d)
	}
}

func TestAHostWithARightClock(t *testing.T) {
	a, err := collect.Host(t.Context(), host{prints: answer}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range a.Log.Events {
		if e.Kind == incident.ClockSkew {
			t.Errorf("%+v", e)
		}
	}
	v := blame.Judge(a.Log)
	if v.Cause == nil || v.Cause.Layer != incident.Engine || v.Cause.Host != "pve4" {
		t.Errorf("%+v", v)
	}
}

func TestAHostWithoutAnswer(t *testing.T) {
	if _, err := collect.Host(t.Context(), host{exit: 127}, time.Hour); err == nil {
		t.Error("a host whose sh ran nothing answered")
	}
}

// The script runs as any user, says of every record that it is there or why not, and
// succeeds. It is run in each shell found on hosts.
func TestTheScriptInRealShells(t *testing.T) {
	script, err := os.ReadFile("collect.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, shell := range [][]string{{"sh"}, {"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"mksh"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			t.Logf("not tried: %s", shell[0])
			continue
		}
		cmd := exec.CommandContext(t.Context(), shell[0], append(shell[1:], "-c", string(script), "assay", "60")...)
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil || errs.Len() > 0 {
			t.Errorf("%v: %v %s", shell, err, errs.String())
		}
		for _, name := range []string{"kernel log", "service logs", "crash records (pstore)", "machine", "block tree", "paths of disks", "read-only mounts", "full file systems", "mapped devices", "loop devices", "SMART", "PCIe", "memory errors (EDAC)", "heat", "network ports",
			"pressure (PSI)", "md", "ZFS", "LVM", "DRBD", "iSCSI sessions", "Ceph", "Kubernetes", "reboots", "upgrades"} {
			if n := strings.Count(string(out), "\n@assay "+name+"\n") + strings.Count(string(out), "\n@assay-absent "+name+"\t"); n != 1 {
				t.Errorf("%v: record %q is there %d times", shell, name, n)
			}
		}
	}
}

// A device that disappears during the read is left out: no shell complains or aborts.
func TestADeviceThatGoesAwayMeanwhile(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("collect.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, part, found := strings.Cut(string(script), "record 'loop devices'\n")
	part, _, ended := strings.Cut(part, "\n# answers says")
	_, ports, foundPorts := strings.Cut(string(script), "record 'network ports'\n")
	ports, _, endedPorts := strings.Cut(ports, "\nif [ -r /proc/pressure/io ]")
	head, _, headed := strings.Cut(string(script), "\nsince=")
	if !found || !ended || !foundPorts || !endedPorts || !headed {
		t.Fatal("where are the parts of the script?")
	}
	sys := t.TempDir()
	for name, content := range map[string]string{
		"block/loop0/size": "8\n", "block/loop0/loop/backing_file": filepath.Join(sys, "small") + "\n", // no more offset
		"block/loop1/size": "8\n", "block/loop1/loop/backing_file": filepath.Join(sys, "small") + "\n", "block/loop1/loop/offset": "0\n",
		"class/net/gone0/device/vendor": "0x8086\n", "class/net/gone0/statistics/rx_errors": "0\n",
		"small": "cut off\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(sys, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sys, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := "loop1: loop device of 4096 bytes, but its file " + filepath.Join(sys, "small") + " has 8\nthe end\n"
	text := strings.ReplaceAll(head+"\n"+part+"\n"+ports+"\necho the end\n", "/sys/", sys+"/")
	for _, shell := range [][]string{{"sh"}, {"bash", "--posix"}, {"busybox", "sh"}, {"mksh"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			t.Logf("not tried: %s", shell[0])
			continue
		}
		out, err := exec.CommandContext(t.Context(), shell[0], append(shell[1:], "-c", text, "assay", "60")...).CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("%v: %v\n%s\nwant\n%s", shell, err, out, want)
		}
	}
}

// A tool that hangs, and whose child keeps its output open, holds up neither the later
// records nor the end. It gets its time.
func TestAToolThatHangs(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("collect.sh")
	if err != nil {
		t.Fatal(err)
	}
	head, _, found := strings.Cut(string(script), "\nsince=")
	if !found {
		t.Fatal("where do the functions end?")
	}
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	for name, shell := range map[string][]string{"sh": {"sh"}, "bash": {"bash", "--posix"}, "busybox": {"busybox", "sh"}, "mksh": {"mksh"}, "Alpine": {"busybox", "sh"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			t.Logf("not tried: %s", shell[0])
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			// No signal sent to the tool reaches its child, as if the kernel held it: the
			// shell stays in between, because it has something left to do.
			cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], "-c", head+"\ntool slow 1 100 sh -c 'echo before; setsid sleep 50; :'\ntool next 50 100 echo after\n", "assay", "60")...)
			cmd.WaitDelay = time.Second
			if name == "Alpine" {
				cmd.Env = append(os.Environ(), "PATH="+busyboxTools(t)+":"+os.Getenv("PATH"))
			}
			var errs strings.Builder // shells' reports of what they had to kill
			cmd.Stderr = &errs
			out, err := cmd.Output()
			if want := "\n@assay slow\nsh did not end within 1 s\n\n@assay next\nafter\n"; err != nil || string(out) != want || errs.Len() > 0 {
				t.Errorf("%v: %v\n%s%s", shell, err, out, errs.String())
			}
		})
	}
}

// busyboxTools returns a directory of BusyBox tools, whose timeout kills only the program that
// it started.
func busyboxTools(t *testing.T) string {
	t.Helper()
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"sh", "timeout", "tail", "setsid", "sleep"} {
		if err := os.Symlink(busybox, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Only devices that can answer are asked for their SMART log: no vanished disk, no
// controller of another machine's drive, none that is being reset.
func TestWhoIsAskedForSMART(t *testing.T) {
	script, err := os.ReadFile("collect.sh")
	if err != nil {
		t.Fatal(err)
	}
	function := func(name string) string {
		_, rest, found := strings.Cut(string(script), "\n"+name+"() {")
		body, _, ends := strings.Cut(rest, "\n}\n")
		if !found || !ends {
			t.Fatalf("no function %s", name)
		}
		return name + "() {" + body + "\n}\n"
	}
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"size": "8"}, "asked\n"},
		{map[string]string{"transport": "pcie", "state": "live"}, "asked\n"},
		{map[string]string{"transport": "pcie"}, "asked\n"},
		{map[string]string{"transport": "tcp", "state": "live"}, ""},
		{map[string]string{"transport": "pcie", "state": "resetting"}, "disk: not asked, its state is resetting\n"},
		{nil, ""},
	} {
		dir := filepath.Join(t.TempDir(), "disk")
		for name, text := range c.files {
			if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.CommandContext(t.Context(), "sh", "-c", function("first")+function("answers")+`if answers "$1"; then echo asked; fi`, "sh", dir).CombinedOutput()
		if err != nil || string(out) != c.want {
			t.Errorf("%v: %q, %v, want %q", c.files, out, err, c.want)
		}
	}
}
