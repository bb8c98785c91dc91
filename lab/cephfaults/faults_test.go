package cephfaults

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/lab/ceph"
	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

// Exit statuses of a run with all its figures, with none, with some rejected by the
// audit, and with some missing.
const (
	fine     = 0
	noFigure = 1
	rejected = 3
	partial  = 5
)

// end waits for a run and fails if its exit status is none of these.
func end(t *testing.T, c *laptop.Command, exits ...int) laptop.Result {
	t.Helper()
	r := c.Wait(11 * time.Minute)
	for _, exit := range exits {
		if r.Exit == exit {
			return r
		}
	}
	t.Fatalf("ended with %d, want one of %v: %s\n%s", r.Exit, exits, r.Said, laptop.Brief(r.Stdout))
	return r
}

// says fails unless a run's report has all these words.
func says(t *testing.T, r laptop.Result, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(r.Stdout+r.Said, w) {
			t.Errorf("nothing says %q: %s\n%s", w, laptop.Brief(r.Said), laptop.Brief(r.Stdout))
		}
	}
}

// revive restores the cluster's health at the end of a test.
func (b *bed) revive(t *testing.T) {
	t.Helper()
	if err := b.Revive(b.ctx); err != nil {
		t.Fatal(err)
	}
}

// osdKilled checks that figures measured while an OSD is down carry a note, and that
// hosts whose turn comes then are skipped with a reason.
func osdKilled(t *testing.T, b *bed) {
	defer b.revive(t)
	l, c := b.run(t, "write-4m")
	b.awaitPool(t, c)
	if err := b.StopOSD(b.ctx, "host2"); err != nil {
		t.Fatal(err)
	}
	r := end(t, c, fine, rejected, partial)
	says(t, r, "OSD_DOWN")
	l.ExpectEmpty()
}

// osdDiagnosed checks that diagnose names the OSD that is down and its host, though every
// host reports it, and blames no drive or network.
func osdDiagnosed(t *testing.T, b *bed) {
	defer b.revive(t)
	if err := b.StopOSD(b.ctx, "host2"); err != nil {
		t.Fatal(err)
	}
	b.awaitHealth(t, "OSD_DOWN")
	l := laptop.New(t, b.Cluster())
	r := end(t, l.Begin("diagnose", "-i", b.Cluster(), "--since", "1s"), fine)
	says(t, r, "process or host went down · osd.1 on host2", "journalctl -u 'ceph-osd@ID'")
	l.ExpectEmpty()
}

// monitorAway checks that two of three monitors are a quorum, with a warning.
func monitorAway(t *testing.T, b *bed) {
	defer b.revive(t)
	if err := b.StopMonitor(b.ctx, "host3"); err != nil {
		t.Fatal(err)
	}
	b.awaitHealth(t, "MON_DOWN")
	l, c := b.run(t, "read-4m")
	says(t, end(t, c, partial, noFigure), "MON_DOWN", "despite-health")
	l.ExpectEmpty()
	l, c = b.run(t, "read-4m", "--despite-health", "--repeats", "1")
	r := end(t, c, fine, rejected)
	says(t, r, "measured while the cluster was HEALTH_WARN", "MON_DOWN")
	l.ExpectEmpty()
}

// awaitHealth waits until health reports a check.
func (b *bed) awaitHealth(t *testing.T, check string) {
	t.Helper()
	if !laptop.Eventually(2*time.Minute, func() bool { return strings.Contains(b.ask(t, "health", "--format", "json"), check) }) {
		t.Fatalf("health does not say %s", check)
	}
}

// nearlyFull checks that nothing is written to a nearly full cluster.
func nearlyFull(t *testing.T, b *bed) {
	defer b.revive(t)
	b.ask(t, "osd", "set-nearfull-ratio", "0.0001")
	defer b.ask(t, "osd", "set-nearfull-ratio", "0.85")
	b.awaitHealth(t, "OSD_NEARFULL")
	l, c := b.run(t, "write-4m")
	says(t, end(t, c, partial, noFigure), "OSD_NEARFULL", "despite-health")
	l.ExpectEmpty()
}

// keyrings checks that a user with too few rights is told so, with the command that
// creates a better key, and that no run hangs.
func keyrings(t *testing.T, b *bed) {
	if err := b.NewUser(b.ctx, "onlooker", "mon", "allow r"); err != nil {
		t.Fatal(err)
	}
	if err := b.NewUser(b.ctx, "stranger", "mon", "allow r"); err != nil {
		t.Fatal(err)
	}
	b.ask(t, "auth", "rm", "client.stranger") // its keyring stays on the hosts
	defer b.ask(t, "auth", "rm", "client.onlooker")
	for user, says := range map[string]*regexp.Regexp{
		"onlooker": regexp.MustCompile(`(?s)onlooker.*ceph auth`),
		"stranger": regexp.MustCompile(`(?s)stranger`),
		"nobody":   regexp.MustCompile(`(?s)nobody.*keyring`),
	} {
		t.Run(user, func(t *testing.T) {
			file := b.as(t, user)
			l := laptop.New(t, file)
			r := end(t, l.Begin("run", "-i", file, "--suite", "ceph-quick", "--only", "write-4m", "--length", "1s", "--repeats", "1", "--format", "json"), partial, noFigure)
			if text := r.Said + r.Stdout; !says.MatchString(text) {
				t.Errorf("want %s in\n%s\n%s", says, r.Said, laptop.Brief(r.Stdout))
			}
			l.ExpectEmpty()
		})
	}
}

// as returns the lab's cluster.yaml with another Ceph user.
func (b *bed) as(t *testing.T, user string) string {
	t.Helper()
	text, err := os.ReadFile(b.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	other := strings.Replace(string(text), "user: "+ceph.User+"}", "user: "+user+"}", 1)
	if other == string(text) {
		t.Fatalf("no user %s in %s", ceph.User, text)
	}
	if err := os.WriteFile(file, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// scrubbed checks that a scrub that starts mid-run is noted beside the figures.
func scrubbed(t *testing.T, b *bed) {
	if _, err := b.Hosts.Run(b.ctx, "host1", "rados", "-p", ceph.Pool, "bench", "2", "write", "-b", "4096", "--no-cleanup", "--run-name", "kept"); err != nil {
		t.Fatal(err)
	}
	defer b.revive(t)
	defer func() {
		b.ask(t, "tell", "osd.*", "config", "set", "osd_scrub_sleep", "0")
		if _, err := b.Hosts.Run(b.ctx, "host1", "rados", "-p", ceph.Pool, "cleanup", "--run-name", "kept"); err != nil {
			t.Error(err)
		}
	}()
	l, c := b.run(t, "write-4m", "--despite-health")
	b.awaitPool(t, c)
	b.ask(t, "tell", "osd.*", "config", "set", "osd_scrub_sleep", "3") // a scrub of few objects takes a minute
	b.ask(t, "osd", "pool", "deep-scrub", ceph.Pool)
	says(t, end(t, c, fine, rejected, partial), "scrubbing")
	l.ExpectEmpty()
}

// clientLost checks that losing a client keeps the others' figures, and that what it
// held is removed once it is back.
func clientLost(t *testing.T, b *bed) {
	l, c := b.run(t, "read-4m", "--despite-health")
	b.awaitPool(t, c)
	if err := b.Hosts.Break(b.ctx, "host3", hosts.Cut); err != nil {
		t.Fatal(err)
	}
	r := c.Wait(11 * time.Minute)
	if err := b.Hosts.Mend(b.ctx, "host3", hosts.Cut); err != nil {
		t.Fatal(err)
	}
	b.revive(t)
	if r.Exit != partial {
		t.Errorf("ended with %d: %s", r.Exit, r.Said)
	}
	says(t, r, "host3", "went away")
	l.CleanUp()
	l.ExpectEmpty()
}

// poolGone removes the pool while it is measured.
func poolGone(t *testing.T, b *bed) {
	l, c := b.run(t, "write-4m")
	b.awaitPool(t, c)
	b.ask(t, "config", "set", "mon", "mon_allow_pool_delete", "true")
	for pool := range strings.FieldsSeq(b.ask(t, "osd", "pool", "ls")) {
		if strings.HasPrefix(pool, "assay-") {
			b.ask(t, "osd", "pool", "rm", pool, pool, "--yes-i-really-really-mean-it")
		}
	}
	b.ask(t, "config", "rm", "mon", "mon_allow_pool_delete")
	r := end(t, c, partial, noFigure)
	says(t, r, "rados bench", "assay-")
	l.ExpectEmpty()
}
