package faults

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/lab/prometheus"
	"assay/lab/prometheus/prometheustest"
)

// alarm is a Prometheus with the rules that assay alerts wrote for a bed. It scrapes a
// file served as by node_exporter's textfile collector.
type alarm struct {
	t   *testing.T
	lab *prometheus.Lab
}

// newAlarm starts one and checks that nothing fires.
func newAlarm(b *bed, textfile string) *alarm {
	b.t.Helper()
	rules := filepath.Join(b.t.TempDir(), "rules.yaml")
	if got := b.laptop.Do("alerts", "-i", b.laptop.File, "--run", "latest", "-o", rules); got.Exit != 0 {
		b.t.Fatalf("alerts: %s", got.Said)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		http.ServeFile(w, r, textfile)
	}))
	b.t.Cleanup(server.Close)
	a := &alarm{b.t, prometheustest.Up(b.t, prometheus.Options{Rules: rules, Targets: []string{strings.TrimPrefix(server.URL, "http://")}})}
	prometheustest.Seen(b.t, a.lab)
	figures, err := a.lab.Query(b.t.Context(), `assay_net_tcp_throughput_bytes_per_second{host="host2"}`)
	if err != nil || len(figures) == 0 {
		b.t.Fatalf("Prometheus has no throughput of host2: %v", err)
	}
	if fired, err := a.lab.Fired(b.t.Context()); err != nil || len(fired) > 0 {
		b.t.Errorf("before the fault: %v, %v", fired, err)
	}
	return a
}

// expect waits until an alert with these labels fires. said returns what the watch has
// printed so far.
func (a *alarm) expect(labels map[string]string, said func() string) {
	a.t.Helper()
	prometheustest.Within(a.t, 15*time.Minute+*length, func(ctx context.Context) error {
		fired, err := a.lab.Fired(ctx)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(fired, func(f prometheus.Alert) bool { return f.Has(labels) }) {
			return fmt.Errorf("%v have fired, want %v; the watch printed\n%s", fired, labels, said())
		}
		return nil
	})
}
