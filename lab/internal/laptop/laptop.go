package laptop

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/report"
)

// Laptop is a private machine to assay: a home, a database and a directory for
// temporary files that nothing else uses.
type Laptop struct {
	T    testing.TB
	Dir  string
	File string // the cluster.yaml
	run  string // what is /run to it, "" where that is everybody's
}

// New makes a laptop. Its path is short, so that socket paths fit into it.
func New(t testing.TB, file string) *Laptop {
	t.Helper()
	dir, err := os.MkdirTemp("", workshop.name+"-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l := &Laptop{T: t, Dir: dir, File: file}
	for _, d := range []string{l.home(), l.temporary()} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// MeasuresItself makes this machine look like a different one from that of other tests,
// which may measure it too: the laptop's assay gets a private /run, where the locks are.
// It skips the test where mounting is not allowed.
func (l *Laptop) MeasuresItself() {
	l.T.Helper()
	if os.Geteuid() != 0 {
		l.T.Skip("needs root to give assay a private /run")
	}
	l.run = filepath.Join(l.Dir, "run")
	if err := os.Mkdir(l.run, 0o700); err != nil {
		l.T.Fatal(err)
	}
}

func (l *Laptop) home() string      { return filepath.Join(l.Dir, "home") }
func (l *Laptop) temporary() string { return filepath.Join(l.Dir, "tmp") }

// environ returns the whole environment of assay and its children. No other
// process has this home.
func (l *Laptop) environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + l.home(), "TMPDIR=" + l.temporary(),
		"XDG_DATA_HOME=" + filepath.Join(l.Dir, "data"), "XDG_CONFIG_HOME=" + filepath.Join(l.Dir, "config"),
		"XDG_CACHE_HOME=" + filepath.Join(l.Dir, "cache"), "XDG_STATE_HOME=" + filepath.Join(l.Dir, "state"),
		"ASSAY_DB=" + filepath.Join(l.Dir, "assay.db"),
	}
}

// Do runs an assay command that measures nothing, to its end.
func (l *Laptop) Do(words ...string) Result {
	l.T.Helper()
	return l.Begin(words...).Wait(5 * time.Minute)
}

// Stored returns the report of the last run from the database; ok is false if
// there is none yet.
func (l *Laptop) Stored() (d report.Document, ok bool) {
	l.T.Helper()
	r := l.Do("report", "--format", "json")
	if r.Exit != 0 {
		return d, false
	}
	return Read[report.Document](l.T, r), true
}

// Released is the output of assay cleanup.
type Released struct {
	Released []struct {
		Run    string            `json:"run"`
		Names  map[string]string `json:"names"`
		Killed int               `json:"killed"`
		Error  string            `json:"error"`
	} `json:"released"`
	InUse int `json:"in_use"`
}

// CleanUp runs assay cleanup as a user does after a run that left something.
func (l *Laptop) CleanUp() Released {
	l.T.Helper()
	r := l.Do("cleanup", "-i", l.File, "--format", "json")
	if r.Exit != 0 {
		l.T.Errorf("cleanup ended with %d: %s", r.Exit, r.Said)
	}
	return Read[Released](l.T, r)
}

// ExpectEmpty fails the test if assay has left anything on the laptop: a
// process, a file outside its database, an entry in the journal.
func (l *Laptop) ExpectEmpty() {
	l.T.Helper()
	if c := l.CleanUp(); len(c.Released) > 0 || c.InUse > 0 {
		l.T.Errorf("the journal was not empty: %+v", c)
	}
	l.ExpectNothingRuns()
}

// ExpectNothingRuns fails the test if assay has left a process on the laptop, or
// a file outside its database.
func (l *Laptop) ExpectNothingRuns() {
	l.T.Helper()
	var left []string
	if !Eventually(2*time.Minute, func() bool { left = l.processes(); return len(left) == 0 }) {
		l.T.Errorf("processes are left on the laptop: %q", left)
	}
	for _, dir := range []string{l.home(), l.temporary()} {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) > 0 {
			l.T.Errorf("%s holds %v, %v", dir, entries, err)
		}
	}
}

// processes returns the processes that have this laptop's home.
func (l *Laptop) processes() []string {
	var found []string
	for _, p := range Processes() {
		if bytes.Contains(p.Environ(), []byte("HOME="+l.home()+"\x00")) {
			found = append(found, p.Line())
		}
	}
	return found
}
