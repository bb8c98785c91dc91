package vms

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
	"assay/lab/guest/guesttest"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
	"assay/lab/vms/standin"
	"assay/report"
)

// clonesBed returns a bed whose file has two guests cloned for a run, worded as in the
// README.
func clonesBed(t *testing.T) *bed {
	t.Helper()
	b := newBed(t, "libvirt: db")
	text := fmt.Sprintf("hosts:\n  pve1: {address: %s, user: root, ssh: {config: %q}}\nvms:\n  deb: {clone: {domain: %s, count: 2, on: pve1}, measure: {directories: [%s]}}\n"+
		"tiers:\n  inside: {hosts: [deb], directory: %[4]s}\n  disk: {hosts: [deb-1], vmdisk: {storage: images}}\n",
		b.lab.Address(hypervisor, hosts.Management), b.lab.Config(), standin.Template, hosts.BenchDir)
	file := filepath.Join(t.TempDir(), "clones.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.laptop = laptop.New(t, file)
	return b
}

// clones returns the hypervisor's guests except the template and db.
func (b *bed) clones() map[string]standin.Clone {
	b.t.Helper()
	var m standin.Machine
	text := b.feed(hypervisor, "", "cat "+machineFile+"/machine 2>/dev/null || echo '{}'")
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		b.t.Fatalf("%v: %s", err, text)
	}
	return m.Clones
}

// After kill -9 while a clone is measured, clean-up destroys all clones with their scratch
// space. A run creates them, measures a disk lent to one, and destroys them.
func TestClones(t *testing.T) {
	notQuick(t)
	t.Parallel()
	b := clonesBed(t)
	c := b.laptop.Begin("run", "-i", b.laptop.File, "--suite", "tiers", "--host", "inside", "--only", "randread-4k", "--size", "64M", "--precision", "off", "--length", "30s", "--repeats", "3", "--time-budget", "10m")
	c.AwaitWithin(5*time.Minute, "fio runs in the guest", func() bool {
		return strings.Contains(b.feed(guest, "", `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' '`), "--rw=randread")
	})
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(11 * time.Minute)
	if n := len(b.clones()); n != 2 {
		t.Errorf("%d clones are left, want 2", n)
	}
	for _, r := range b.laptop.CleanUp().Released {
		if r.Error != "" {
			t.Errorf("cleanup: %+v", r)
		}
	}
	if all := b.clones(); len(all) > 0 {
		t.Errorf("left: %v", all)
	}
	// Real guests would take everything in them along; here they are one machine that
	// stays.
	b.feed(guest, "", `pkill -9 fio; rm -rf `+hosts.BenchDir+`/.assay-*; :`)
	r := b.laptop.Begin("run", "-i", b.laptop.File, "--suite", "tiers", "--host", "disk", "--only", "randread-4k", "--size", "64M", "--precision", "off", "--length", "1s", "--repeats", "1", "--time-budget", "5m", "--format", "json").Wait(8 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	d := laptop.Read[report.Document](t, r)
	if rows := laptop.RowsOf(d, "randread-4k", "deb-1"); len(rows) != 1 || !laptop.Measured(rows[0]) {
		t.Errorf("the disk of a clone was not measured:\n%s", laptop.InShort(d, ""))
	}
	if all := b.clones(); len(all) > 0 {
		t.Errorf("left: %v", all)
	}
	b.expectNothingLeft()
}

// repeatsOf returns the random read repeats of a clone.
func repeatsOf(d report.Document, host string) []float64 {
	for _, r := range laptop.RowsOf(d, "randread-4k", host) {
		for _, f := range r.Figures {
			if f.Metric == "storage.read.iops" {
				return f.Repeats
			}
		}
	}
	return nil
}

// What a killed run lacks is measured in new clones, and a run like it creates its own.
func TestClonesAgain(t *testing.T) {
	notQuick(t)
	guesttest.Wanted(t)
	t.Parallel()
	b := clonesBed(t)
	const repeats = 4
	c := b.laptop.Begin("run", "-i", b.laptop.File, "--suite", "baseline", "--host", "deb", "--only", "randread-4k", "--size", "64M", "--precision", "off", "--length", "2s", "--repeats", fmt.Sprint(repeats), "--time-budget", "10m", "--format", "json")
	c.AwaitWithin(5*time.Minute, "a repeat", func() bool {
		for line := range strings.Lines(c.Said()) {
			if strings.HasPrefix(line, `{"event":"end"`) && !strings.Contains(line, `"repeat":0`) {
				return true
			}
		}
		return false
	})
	c.Signal(syscall.SIGKILL)
	_ = c.Wait(11 * time.Minute)
	before, _ := b.laptop.Stored()
	left := b.clones()
	// The stand-in's clones are one machine that stays.
	b.feed(guest, "", `pkill -9 fio; rm -rf `+hosts.BenchDir+`/.assay-*; :`)
	r := b.laptop.Begin("run", "--resume", "latest", "-i", b.laptop.File, "--time-budget", "5m", "--format", "json").Wait(8 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("resumed: status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	d := laptop.Read[report.Document](t, r)
	if d.Run.ID != before.Run.ID || d.Run.Status != assay.RunDone || len(left) != 2 {
		t.Errorf("run %s is %s, want %s to be done; the clones %v were left", d.Run.ID, d.Run.Status, before.Run.ID, left)
	}
	for _, host := range []string{"deb-1", "deb-2"} {
		had, has := repeatsOf(before, host), repeatsOf(d, host)
		if len(had) >= repeats || len(has) != repeats || !slices.Equal(has[:len(had)], had) {
			t.Errorf("%s had %v and has %v, want %d repeats", host, had, has, repeats)
		}
	}
	if all := b.clones(); len(all) > 0 {
		t.Errorf("left: %v", all)
	}
	planned := b.laptop.Do("plan", "--like", "latest", "-i", b.laptop.File)
	if said := strings.Join(strings.Fields(planned.Stdout+planned.Said), " "); planned.Exit != 0 || !strings.Contains(said, "a run creates deb-1, deb-2 on pve1") || strings.Contains(said, "changed since") {
		t.Errorf("planned with status %d:\n%s%s", planned.Exit, planned.Stdout, planned.Said)
	}
	r = b.laptop.Begin("run", "--like", "latest", "-i", b.laptop.File, "--format", "json").Wait(15 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("like it: status %d: %s", r.Exit, laptop.Brief(r.Said))
	}
	like := laptop.Read[report.Document](t, r)
	for _, host := range []string{"deb-1", "deb-2"} {
		if n := len(repeatsOf(like, host)); n != repeats || like.Run.ID == d.Run.ID {
			t.Errorf("run %s, like %s, has %d repeats in %s", like.Run.ID, d.Run.ID, n, host)
		}
	}
	b.expectNothingLeft()
}

// ofClones matches the README's commands on a clones.yaml.
var ofClones = regexp.MustCompile(`(?m)^\$ (assay .* -i clones\.yaml\b.*)$`)

// The README's commands do what it says, and hosts and plan create nothing.
func TestTheReadmeOnClones(t *testing.T) {
	notQuick(t)
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := ofClones.FindAllStringSubmatch(string(text), -1)
	if len(commands) != 5 {
		t.Fatalf("README.md has %d commands on a clones.yaml", len(commands))
	}
	b := clonesBed(t)
	home := t.TempDir()
	program, err := laptop.Binary()
	if err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"clones.yaml": b.laptop.File, "assay": program} {
		if err := os.Symlink(to, filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	said := map[string]string{"assay hosts": "deb-2 does not exist yet: a run creates it on pve1 from debian12", "assay plan": "a run creates deb-1, deb-2 on pve1 from debian12 and destroys them afterwards: 512 MiB of memory"}
	for _, c := range commands {
		command := c[1]
		verb := strings.Join(strings.Fields(command)[:2], " ")
		if verb == "assay run" {
			command += " --time-budget 4m --repeats 1 --length 1s --size 64M --precision off"
			if !strings.Contains(command, "--only") {
				command += " --only cpu-1"
			}
		}
		sh := exec.CommandContext(t.Context(), "timeout", "480", "sh", "-c", command)
		sh.Dir = home
		sh.Env = append(os.Environ(), "HOME="+home, "PATH="+home+":"+os.Getenv("PATH"), "ASSAY_DB="+filepath.Join(home, "db"), "COLUMNS=200")
		out, err := sh.CombinedOutput()
		if status := sh.ProcessState.ExitCode(); err != nil && status != 3 {
			t.Errorf("%s: status %d\n%s", command, status, out)
		}
		if want := said[verb]; !strings.Contains(strings.Join(strings.Fields(string(out)), " "), want) {
			t.Errorf("%s does not say %q:\n%s", command, want, out)
		}
		if all := b.clones(); len(all) > 0 {
			t.Errorf("%s left %v", command, all)
		}
	}
	b.expectNothingLeft()
}
