package prometheustest

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"assay/lab/internal/turns"
	"assay/lab/internal/wait"
	"assay/lab/prometheus"
)

// Bound is how long a lab may take to come up, or to notice something.
const Bound = 10 * time.Minute

// Needed skips t, with the reason and a hint, if this machine has no Prometheus, and in
// a quick run of the tests. A Prometheus is light: unlike other labs, it takes no turn.
func Needed(t testing.TB) {
	t.Helper()
	turns.Need(t, "Prometheus", prometheus.Missing)
}

// Up returns a Prometheus that lasts until t ends. It skips t as Needed does.
func Up(t testing.TB, o prometheus.Options) *prometheus.Lab {
	t.Helper()
	Needed(t)
	ctx, cancel := context.WithTimeout(t.Context(), Bound)
	defer cancel()
	l, err := prometheus.Up(ctx, filepath.Join(t.TempDir(), "prometheus"), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Down)
	return l
}

// Until fails t if done keeps returning an error.
func Until(t testing.TB, done func(context.Context) error) {
	t.Helper()
	Within(t, Bound, done)
}

// Within is Until with a bound of its own.
func Within(t testing.TB, most time.Duration, done func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	if last, err := wait.Until(ctx, 100*time.Millisecond, func() error { return done(ctx) }); err != nil {
		t.Fatalf("%v: %v", err, last)
	}
}

// Seen waits until Prometheus has scraped and evaluated everything again.
func Seen(t testing.TB, l *prometheus.Lab) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Bound)
	defer cancel()
	if err := l.Seen(ctx, time.Now()); err != nil {
		t.Fatal(err)
	}
}

var hold = regexp.MustCompile(`(?m)^( +for: )\d+[smh]$`)

// AtOnce writes a copy of a rule file in which alerts fire without a hold time,
// and returns its name: no test waits 90 minutes.
func AtOnce(t testing.TB, rules string) string {
	t.Helper()
	text, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if !hold.Match(text) {
		t.Fatalf("no rule with a time to hold in\n%s", text)
	}
	file := filepath.Join(t.TempDir(), "at-once.yaml")
	if err := os.WriteFile(file, hold.ReplaceAll(text, []byte("${1}0s")), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
