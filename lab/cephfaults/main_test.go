package cephfaults

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/ceph"
	"assay/lab/ceph/cephtest"
	"assay/lab/internal/laptop"
	"assay/plan/multiclient"
	"assay/report"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "cephfaults", 1, "CGO_ENABLED=0")) }

// bed is a Ceph cluster and its contents before assay ran.
type bed struct {
	*ceph.Lab
	ctx context.Context
	was string
}

// TestAPool uses one Ceph cluster for all tests.
func TestAPool(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Minute)
	defer cancel()
	b := &bed{Lab: cephtest.Up(t, ceph.Standard), ctx: ctx}
	b.was = b.things(t)
	for _, c := range []struct {
		name string
		test func(*testing.T, *bed)
	}{
		{"one to three clients", clients},
		{"killed", killed},
		{"images", images},
		{"interrupted", interrupted},
		{"readme", readme},
		{"health", health},
		{"OSD killed", osdKilled},
		{"OSD diagnosed", osdDiagnosed},
		{"monitor away", monitorAway},
		{"failover", failedOver},
		{"nearly full", nearlyFull},
		{"keyrings", keyrings},
		{"scrubbed", scrubbed},
		{"pool gone", poolGone},
		{"client lost", clientLost},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.test(t, b)
			if is := b.things(t); is != b.was {
				t.Errorf("there was\n%s\nand there is\n%s", b.was, is)
			}
		})
	}
}

// ask runs ceph as client.admin.
func (b *bed) ask(t *testing.T, words ...string) string {
	t.Helper()
	text, err := b.Ceph(b.ctx, words...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// things lists what a run could leave behind.
func (b *bed) things(t *testing.T) string {
	t.Helper()
	images, err := b.Hosts.Run(b.ctx, "host1", "rbd", "ls", ceph.Pool)
	if err != nil {
		t.Fatal(err)
	}
	return b.ask(t, "osd", "pool", "ls") + b.ask(t, "config", "dump", "--format", "json") + b.ask(t, "auth", "ls") + images
}

// run starts a run with few short repeats.
func (b *bed) run(t *testing.T, only string, more ...string) (*laptop.Laptop, *laptop.Command) {
	t.Helper()
	l := laptop.New(t, b.Cluster())
	return l, l.Begin(append([]string{"run", "-i", b.Cluster(), "--suite", "ceph-quick", "--only", only, "--length", "1s", "--repeats", "2",
		"--time-budget", "10m", "--format", "json"}, more...)...)
}

// clients checks that each number of clients has a total that its parts add up to,
// and that the cluster's facts are known.
func clients(t *testing.T, b *bed) {
	l, c := b.run(t, "read-4m", "--repeats", "1")
	r := c.Wait(11 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("ended with %d: %s", r.Exit, r.Said)
	}
	l.ExpectEmpty()
	d := laptop.Read[report.Document](t, r)
	for _, name := range []string{"read-4m", multiclient.Case("read-4m", 2), multiclient.Case("read-4m", 3)} {
		if !strings.Contains(r.Stdout, `"rados/`+name+`@host1/pool/`+ceph.Pool+`"`) {
			t.Errorf("no row of %s", name)
		}
	}
	rows := 0
	for _, s := range d.Sections {
		for _, row := range s.Rows {
			if strings.HasPrefix(row.Trial, "rados/") && laptop.Measured(row) {
				rows++
			}
		}
	}
	// Each of three hosts alone, and two and three together.
	if rows != 5 {
		t.Errorf("%d rows have a figure, want 5: %s", rows, r.Said)
	}
	// The hosts reported the number of copies and drives; the ceilings only lack
	// the speed of one drive.
	if !strings.Contains(r.Stdout, "read rate of one drive") || strings.Contains(r.Stdout, "number of drives") {
		t.Errorf("the facts of the cluster are not there: %s", laptop.Brief(r.Said))
	}
}

// killed checks that after kill -9 during writes cleanup removes the pools, and
// that an option enabled for the removal is off again.
func killed(t *testing.T, b *bed) {
	l, c := b.run(t, "write-4m")
	b.awaitPool(t, c)
	c.Signal(syscall.SIGKILL)
	if r := c.Wait(11 * time.Minute); r.Exit != 128+int(syscall.SIGKILL) {
		t.Fatalf("ended with %d", r.Exit)
	}
	released := l.CleanUp()
	if len(released.Released) == 0 {
		t.Error("nothing was left in the journal")
	}
	l.ExpectEmpty()
}

// images checks that fio measures an image through librbd, and that after kill -9
// meanwhile cleanup removes it, though Ceph considers the dead client alive for half a
// minute.
func images(t *testing.T, b *bed) {
	l := laptop.New(t, b.Images())
	arguments := []string{"run", "-i", b.Images(), "--suite", "rbd", "--only", "randwrite-4k-depth1", "--length", "1s", "--repeats", "1", "--time-budget", "5m", "--format", "json"}
	r := l.Begin(arguments...).Wait(6 * time.Minute)
	if r.Exit != 0 && r.Exit != 3 {
		t.Fatalf("ended with %d: %s", r.Exit, r.Said)
	}
	l.ExpectEmpty()
	rows := 0
	for _, s := range laptop.Read[report.Document](t, r).Sections {
		for _, row := range s.Rows {
			if strings.HasPrefix(row.Trial, "fio/randwrite-4k-depth1+cache=") && laptop.Measured(row) {
				rows++
			}
		}
	}
	if rows < 2 || !strings.Contains(r.Stdout, "exclusive-lock") {
		t.Errorf("%d rows have a figure, want each cache's: %s", rows, laptop.Brief(r.Stdout))
	}
	c := l.Begin(arguments...)
	c.AwaitWithin(5*time.Minute, "fio runs", func() bool {
		for _, p := range laptop.Processes() {
			if line := p.Line(); strings.HasPrefix(line, "fio ") && strings.Contains(line, "rbdname") {
				return true
			}
		}
		return false
	})
	c.Signal(syscall.SIGKILL)
	if r := c.Wait(6 * time.Minute); r.Exit != 128+int(syscall.SIGKILL) {
		t.Fatalf("ended with %d", r.Exit)
	}
	if released := l.CleanUp(); len(released.Released) == 0 {
		t.Error("nothing was left in the journal")
	}
	l.ExpectEmpty()
}

// interrupted checks that Ctrl-C during writes removes what was created.
func interrupted(t *testing.T, b *bed) {
	l, c := b.run(t, "write-4m")
	b.awaitPool(t, c)
	c.Signal(syscall.SIGINT)
	if r := c.Wait(11 * time.Minute); r.Exit != 130 {
		t.Errorf("ended with %d: %s", r.Exit, r.Said)
	}
	l.ExpectEmpty()
}

// awaitPool waits until one of the run's pools exists and rados bench runs.
func (b *bed) awaitPool(t *testing.T, c *laptop.Command) {
	t.Helper()
	c.AwaitWithin(5*time.Minute, "rados bench runs", func() bool {
		for _, p := range laptop.Processes() {
			if line := p.Line(); strings.HasPrefix(line, "rados ") && strings.Contains(line, "bench") {
				return true
			}
		}
		return false
	})
	if !strings.Contains(b.ask(t, "osd", "pool", "ls"), "assay-") {
		t.Error("no pool of assay's is there")
	}
}

// ofCeph matches the README's commands on a ceph.yaml. The tests of cmd/assay run the
// others.
var ofCeph = regexp.MustCompile(`(?m)^\$ (assay .* -i (?:ceph|rbd)\.yaml\b.*)$`)

// readme runs the README's commands in order, with the lab's ceph.yaml.
func readme(t *testing.T, b *bed) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := ofCeph.FindAllStringSubmatch(string(text), -1)
	if len(commands) < 3 {
		t.Fatalf("README.md has %d commands on a ceph.yaml", len(commands))
	}
	home := t.TempDir()
	for name, file := range map[string]string{"ceph.yaml": b.Cluster(), "rbd.yaml": b.Images()} {
		if err := os.Symlink(file, filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	program, err := laptop.Binary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		command := c[1]
		if strings.HasPrefix(command, "assay run") {
			only := "write-4m"
			if strings.Contains(command, "rbd.yaml") {
				only = "randwrite-4k-depth1"
			}
			command += " --time-budget 5m --length 1s --repeats 1 --only " + only
		}
		sh := exec.CommandContext(b.ctx, "bash", "-c", command)
		sh.Dir = home
		sh.Env = append(os.Environ(), "HOME="+home, "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "ASSAY_DB="+filepath.Join(home, "db"))
		out, err := sh.CombinedOutput()
		if status := sh.ProcessState.ExitCode(); err != nil && status != 3 {
			t.Errorf("%s: status %d\n%s", command, status, out)
		}
	}
}

// health checks that an unhealthy cluster is not measured, and that the report
// says why.
func health(t *testing.T, b *bed) {
	b.ask(t, "osd", "set", "noout")
	defer b.ask(t, "osd", "unset", "noout")
	if !laptop.Eventually(time.Minute, func() bool { return strings.HasPrefix(b.ask(t, "health"), "HEALTH_WARN") }) {
		t.Fatal("it is well")
	}
	l, c := b.run(t, "write-4m")
	r := c.Wait(11 * time.Minute)
	if r.Exit == 0 || !strings.Contains(r.Stdout, "noout") || !strings.Contains(r.Stdout, "despite_health") {
		t.Errorf("ended with %d: %s", r.Exit, laptop.Brief(r.Stdout))
	}
	l.ExpectEmpty()
}
