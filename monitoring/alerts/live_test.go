package alerts_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/lab/prometheus"
	"assay/lab/prometheus/prometheustest"
	"assay/monitoring/alerts"
)

// exporter serves the unit tests' series as of a given time after the first sample.
type exporter struct {
	mu     sync.Mutex
	series []live
	zero   time.Time // of the first sample
}

// live is a series: its first value, and its growth per minute.
type live struct {
	series   string
	from, by float64
}

var notation = regexp.MustCompile(`^(.+)\+([^+]+)x\d+$`)

func (e *exporter) serve(t *testing.T, zero time.Time, series []alerts.Series) {
	t.Helper()
	var all []live
	for _, s := range series {
		m := notation.FindStringSubmatch(s.Values)
		if m == nil || slices.ContainsFunc(all, func(l live) bool { return l.series == s.Series }) {
			continue
		}
		from, errFrom := strconv.ParseFloat(m[1], 64)
		by, errBy := strconv.ParseFloat(m[2], 64)
		if errFrom != nil || errBy != nil {
			t.Fatalf("%s: %v, %v", s.Values, errFrom, errBy)
		}
		if strings.HasPrefix(s.Series, "assay_") && strings.Contains(s.Series, "_time_seconds{") {
			from += float64(time.Now().Add(-time.Hour).Unix()) // a unit test looks an hour into 1970
		}
		all = append(all, live{s.Series, from, by})
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.zero, e.series = zero, all
}

func (e *exporter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.series {
		fmt.Fprintf(w, "%s %g\n", s.series, s.from+s.by*time.Since(e.zero).Minutes())
	}
}

// A running, scraping Prometheus loads every rule: none fires on everyday figures,
// and after the fault each reaches Alertmanager with its labels, for the receiver of
// its severity.
func TestEachRuleArrivesAtAlertmanager(t *testing.T) {
	for _, suite := range []string{"cluster", "watch"} {
		t.Run(suite, func(t *testing.T) {
			t.Parallel()
			arrives(t, everywhere(measured(suite)).Rules())
		})
	}
}

func arrives(t *testing.T, rules []alerts.Rule) {
	t.Helper()
	var fires, quiet []alerts.Series
	for _, r := range rules {
		fires, quiet = append(fires, r.Fires...), append(quiet, r.Quiet...)
	}
	e := &exporter{}
	e.serve(t, time.Now(), quiet)
	server := httptest.NewServer(e)
	defer server.Close()
	file, _ := files(t, rules)
	l := prometheustest.Up(t, prometheus.Options{Rules: prometheustest.AtOnce(t, file), Targets: []string{strings.TrimPrefix(server.URL, "http://")}})
	for range 2 { // an increase needs two samples
		prometheustest.Seen(t, l)
	}
	if pending, err := l.Pending(t.Context()); err != nil || len(pending) > 0 {
		t.Errorf("before the fault: %v, %v", pending, err)
	}
	e.serve(t, time.Now(), fires) // counters begin
	prometheustest.Seen(t, l)
	e.serve(t, time.Now().Add(-time.Hour), fires) // and have counted for an hour
	prometheustest.Until(t, func(ctx context.Context) error {
		fired, err := l.Fired(ctx)
		if err != nil {
			return err
		}
		return all(rules, fired)
	})
}

// all returns an error if an alert did not fire, or differs from its rule.
func all(rules []alerts.Rule, fired []prometheus.Alert) error {
	var missing []string
	for _, r := range rules {
		want := maps.Clone(r.Labels)
		maps.Copy(want, map[string]string{"alertname": r.Alert, "severity": r.Severity, "source": "assay"})
		receiver := map[string]string{"critical": "at-once", "warning": "daily"}[r.Severity]
		found := false
		for _, a := range fired {
			if has(a.Labels, want) && len(a.Receivers) == 1 && a.Receivers[0].Name == receiver && a.Annotations["summary"] != "" && !strings.Contains(a.Annotations["summary"], "<no value>") {
				found = true
			}
		}
		if !found {
			missing = append(missing, fmt.Sprint(r.Alert, want))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("missing: %s\nfired: %+v", strings.Join(missing, ", "), fired)
	}
	return nil
}

// has reports whether labels are those wanted, plus what scraping adds.
func has(labels, want map[string]string) bool {
	for name, value := range labels {
		if want[name] != value && name != "job" && (name != "instance" || want[name] != "") {
			return false
		}
	}
	for name := range want {
		if labels[name] == "" {
			return false
		}
	}
	return true
}
