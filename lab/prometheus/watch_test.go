package prometheus_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/lab/internal/laptop"
	"assay/lab/prometheus"
	"assay/lab/prometheus/prometheustest"
)

// watched returns a laptop that has run one watch round on a directory, and the rules
// that assay alerts wrote from it.
func watched(t *testing.T) (l *laptop.Laptop, dir, rules string) {
	t.Helper()
	cluster := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(cluster, []byte("hosts:\n  pve1: {address: 10.0.0.1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, dir = laptop.New(t, cluster), t.TempDir()
	l.MeasuresItself()
	rules = filepath.Join(l.Dir, "rules.yaml")
	for _, words := range [][]string{{"watch", "--dir", dir, "--rounds", "1"}, {"alerts", "-i", cluster, "--run", "latest", "-o", rules}} {
		if got := l.Do(words...); got.Exit != 0 && got.Exit != 5 {
			t.Fatalf("%q ended with %d\n%s%s", words, got.Exit, got.Stdout, got.Said)
		}
	}
	return l, dir, prometheustest.AtOnce(t, rules)
}

var metricsAt = regexp.MustCompile(`(?m)^Metrics: http://(\S+)/metrics$`)

// Prometheus scrapes a running watch, and tells Alertmanager when it is gone: a dead
// watch serves no stale figures.
func TestAWatchThatDiesRaisesAnAlarm(t *testing.T) {
	t.Parallel()
	prometheustest.Needed(t)
	l, dir, rules := watched(t)
	watch := l.Begin("watch", "--dir", dir, "--every", "2s", "--listen", "127.0.0.1:0")
	var at string
	watch.AwaitWithin(3*time.Minute, "where it serves metrics", func() bool {
		if m := metricsAt.FindStringSubmatch(watch.Printed()); m != nil {
			at = m[1]
		}
		return at != ""
	})
	prom := prometheustest.Up(t, prometheus.Options{Rules: rules, Targets: []string{at}})
	figure := fmt.Sprintf(`assay_storage_write_latency_seconds{suite="watch",subject=%q,quantile="0.99"}`, dir)
	prometheustest.Until(t, func(ctx context.Context) error {
		got, err := prom.Query(ctx, figure)
		if err == nil && len(got) != 1 {
			err = fmt.Errorf("%s is %v", figure, got)
		}
		return err
	})
	prometheustest.Seen(t, prom)
	prometheustest.Until(t, func(ctx context.Context) error { // a busy machine may miss a scrape
		pending, err := prom.Pending(ctx)
		if err == nil && strings.Contains(fmt.Sprint(pending), "AssayWatchStopped") {
			err = fmt.Errorf("an alarm while it runs: %v", pending)
		}
		return err
	})
	watch.Signal(syscall.SIGKILL)
	want := map[string]string{"alertname": "AssayWatchStopped", "severity": "warning", "source": "assay", "suite": "watch"}
	prometheustest.Until(t, func(ctx context.Context) error {
		fired, err := prom.Fired(ctx)
		if err != nil {
			return err
		}
		for _, a := range fired {
			if maps.Equal(a.Labels, want) {
				return nil
			}
		}
		return fmt.Errorf("%v have fired, want %v", fired, want)
	})
	if got := l.Do("cleanup"); got.Exit != 0 {
		t.Errorf("cleanup: %s", got.Said)
	}
}

// Once a watch's round is over, Prometheus has what it pushed and who pushed it.
func TestAWatchPushes(t *testing.T) {
	t.Parallel()
	prom := prometheustest.Up(t, prometheus.Options{Writes: true})
	l, dir := laptop.New(t, ""), t.TempDir()
	l.MeasuresItself()
	got := l.Do("watch", "--dir", dir, "--rounds", "1", "--push", prom.URL)
	if got.Exit != 0 && got.Exit != 5 || strings.Contains(got.Said, "warning") {
		t.Fatalf("status %d\n%s%s", got.Exit, got.Stdout, got.Said)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, series := range []string{
		fmt.Sprintf(`assay_storage_write_latency_seconds{suite="watch",subject=%q,quantile="0.99",job="assay",instance=%q} > 0`, dir, host),
		`time() - assay_run_start_time_seconds{suite="watch",job="assay"} < 600`,
		`assay_watch_interval_seconds{job="assay"} > 0`,
	} {
		if found, err := prom.Query(t.Context(), series); err != nil || len(found) != 1 {
			t.Errorf("%s is %v, %v", series, found, err)
		}
	}
}
