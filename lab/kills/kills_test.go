package kills

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/lab/hosts"
	"assay/lab/hosts/hoststest"
	"assay/lab/internal/laptop"
	"assay/lab/internal/turns"
)

// usual is the total number of kills without ASSAY_KILLS: one of each suite, or in a
// quick run one here and one over SSH. make test-kill has a thousand.
func usual() int {
	if os.Getenv(turns.Quick) != "" {
		return 2
	}
	return len(suites)
}

// kills returns their number, from the environment, and the seed of their
// moments.
func kills(t *testing.T) (count int, seed uint64) {
	t.Helper()
	count, seed = usual(), 1
	if word := os.Getenv("ASSAY_KILLS"); word != "" {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			t.Fatalf("ASSAY_KILLS=%s is no number of kills", word)
		}
		count = n
	}
	if word := os.Getenv("ASSAY_KILLS_SEED"); word != "" {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			t.Fatalf("ASSAY_KILLS_SEED=%s is no seed", word)
		}
		seed = n
	}
	return count, seed
}

// suite is a suite to kill. The file systems have room for one scratch space.
type suite struct {
	name string
	all  []string // cases of the runs to kill
	one  string   // case of the run that follows
	bed  func(t *testing.T) *bed
}

var suites = []suite{
	{"quick", nil, "write", func(t *testing.T) *bed { return here(t, "100m") }},
	{"cluster", []string{"path-mtu", "randread-4k", "syncwrite-4k", "cpu-1", "tcp-1"}, "randread-4k", func(t *testing.T) *bed { return there(t, 192<<20, "") }},
	{"baseline", []string{"randread-4k", "randwrite-4k", "cpu-1", "memory-read-1"}, "randread-4k", func(t *testing.T) *bed { return here(t, "168m") }},
	{"tiers", []string{"rtt", "tcp-1", "seqread-1m", "randwrite-4k"}, "randread-4k", func(t *testing.T) *bed {
		return there(t, 460<<20, "\ntiers:\n  disk: {hosts: [host1, host2], directory: "+hosts.BenchDir+"}\n")
	}},
}

// here measures a directory on this machine.
func here(t *testing.T, size string) *bed {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=755,size="+size); err != nil {
		t.Skipf("needs root to mount a tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return newBed(t, func() []string {
		found, _ := filepath.Glob(filepath.Join(dir, ".assay-*"))
		return found
	}, "--dir", dir)
}

// there measures two hosts over SSH, with more in their cluster.yaml.
func there(t *testing.T, disk int64, more string) *bed {
	t.Helper()
	all := hosts.Standard(2)
	for i := range all {
		all[i] = hosts.Host{Name: all[i].Name, Link: 100e6, Disk: hosts.Disk{Bytes: disk, Rate: 400 << 20, IOPS: 20000}, Sudo: i == 0, Rise: 1}
	}
	l := hoststest.Up(t, all)
	text, err := os.ReadFile(l.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Replace(string(text), "config: "+filepath.Base(l.Config()), "config: "+l.Config(), 1) + more
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	return newBed(t, func() (found []string) {
		for _, h := range l.Names() {
			// Whatever assay runs on a host has its mark in the environment.
			out, err := l.Run(t.Context(), h, "sh", "-c", `for f in "$1"/.assay-*; do [ ! -e "$f" ] || echo "$f"; done
grep -lzE '^ASSAY_(MARK|HOLD)=' /proc/[0-9]*/environ 2>/dev/null | while read -r f; do tr '\0' ' ' <"${f%/environ}/cmdline"; echo; done`, "sh", hosts.BenchDir)
			for line := range strings.Lines(out) {
				found = append(found, h+": "+strings.TrimSpace(line))
			}
			if err != nil {
				found = append(found, fmt.Sprintf("%s: %v", h, err))
			}
		}
		return found
	}, "-i", file)
}

// TestKilledAtAnyMoment kills runs at random moments, each followed by a short run.
func TestKilledAtAnyMoment(t *testing.T) {
	count, seed := kills(t)
	if _, err := laptop.Binary(); err != nil {
		t.Fatal(err)
	}
	// With many kills, each suite has two users.
	beds := len(suites)
	if count >= 100 {
		beds *= 2
	}
	for i := range beds {
		s := suites[i%len(suites)]
		share := count / beds
		if i < count%beds {
			share++
		}
		if share == 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			b := s.bed(t)
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			// The duration of a run is learnt from those that end before they are
			// killed.
			whole := 30 * time.Second
			early, kept := 0, 0
			for n := range share {
				after := time.Duration(random.Int64N(int64(whole)))
				what := fmt.Sprintf("kill %d of %d, after %s (seed %d)", n+1, share, after.Round(time.Millisecond), seed)
				stored, took, hit := b.kill(s, after)
				if !hit {
					early++
					whole = took
				}
				kept += stored
				if !b.follow(what, s) {
					return
				}
				t.Logf("%s: %d stored repeats kept, nothing left", what, stored) // it takes hours
			}
			t.Logf("%s: %d kills, %d of them after the run's end; %d stored repeats survived, 0 lost; 0 leftovers", s.name, share, early, kept)
		})
	}
}

// kill kills a run after the given time and checks that what it had stored is still
// there. hit is false if it had ended by then, and took is how long it took.
func (b *bed) kill(s suite, after time.Duration) (stored int, took time.Duration, hit bool) {
	b.t.Helper()
	before := b.repeats()
	words := []string{"--suite", s.name, "--length", "1s", "--repeats", "2", "--time-budget", "1m", "--precision", "off"}
	if len(s.all) > 0 {
		words = append(words, "--only", strings.Join(s.all, ","))
	}
	began := time.Now()
	r := b.begin(words...)
	select {
	case <-r.over:
		took = time.Since(began)
	case <-time.After(after):
		hit = true
	}
	had := b.repeats()
	_ = r.cmd.Process.Kill()
	<-r.over
	has := b.repeats()
	for row := range had {
		if !has[row] {
			b.t.Errorf("killed after %s: repeat %s is lost", after, row)
		}
	}
	if told := r.ended(); len(has)-len(before) < told {
		b.t.Errorf("killed after %s: %d repeats were told of, %d are stored", after, told, len(has)-len(before))
	}
	return len(has) - len(before), took, hit
}

// follow makes the next run, which must measure, lose nothing and leave nothing.
func (b *bed) follow(what string, s suite) (fine bool) {
	b.t.Helper()
	fine = true
	had := b.repeats()
	r := b.begin("--suite", s.name, "--only", s.one, "--length", "1s", "--repeats", "1", "--time-budget", "10m", "--precision", "off")
	status, err := b.await(r, 20*time.Minute)
	has := b.repeats()
	measured := 0
	for row := range has {
		if !had[row] && strings.HasSuffix(row, " done") {
			measured++
		}
	}
	for row := range had {
		if !has[row] {
			b.t.Errorf("%s: the next run lost repeat %s", what, row)
			fine = false
		}
	}
	// 3: the audit rejects figures of so short a run; 5: not all hosts report
	// everything.
	if err != nil || status != 0 && status != 3 && status != 5 || measured == 0 || strings.Contains(r.text(), "room for") || strings.Contains(r.text(), "no space") {
		b.t.Errorf("%s: the next run ended with %d and measured %d repeats: %v\n%s", what, status, measured, err, r.text())
		return false
	}
	return b.expectNothingLeft(what) && fine
}
