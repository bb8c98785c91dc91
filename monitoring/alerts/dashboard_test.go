package alerts_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"github.com/grafana/grafana-foundation-sdk/go/units"

	"assay"
	"assay/inventory/cluster"
	"assay/monitoring/alerts"
	"assay/report/exposition"
)

func written(t *testing.T, c alerts.Cluster) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Dashboard(&b, "lab"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// panels returns a dashboard's panels, including those in collapsed rows, as Grafana's
// own schema package reads them: an unknown field or invalid value fails t.
func panels(t *testing.T, text []byte) (all []dashboard.Panel, rows []string) {
	t.Helper()
	plugins.RegisterDefaultPlugins()
	type model = dashboard.Dashboard //nolint:staticcheck // its successor is only for Grafana 12 and later, which read this one too
	var d model
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	strictly(t, new(model), text)
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	for _, p := range d.Panels {
		if p.Panel != nil {
			all = append(all, *p.Panel)
			continue
		}
		rows = append(rows, *p.RowPanel.Title)
		all = append(all, p.RowPanel.Panels...)
	}
	var raw struct {
		Panels []json.RawMessage `json:"panels"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	for _, text := range raw.Panels {
		var p struct {
			Type        string            `json:"type"`
			Panels      []json.RawMessage `json:"panels"`
			FieldConfig json.RawMessage   `json:"fieldConfig"`
		}
		if err := json.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		if p.Type == "row" {
			strictly(t, new(dashboard.RowPanel), text)
			for _, inner := range p.Panels {
				strictly(t, new(dashboard.Panel), inner)
			}
			continue
		}
		strictly(t, new(dashboard.Panel), text)
		strictly(t, new(dashboard.FieldConfigSource), p.FieldConfig)
	}
	return all, rows
}

// strictly fails t if the schema package finds something. If it finds nothing, its error
// is an empty list, and what it read is incomplete.
func strictly(t *testing.T, into interface{ UnmarshalJSONStrict([]byte) error }, text []byte) {
	t.Helper()
	err := into.UnmarshalJSONStrict(text)
	if found := (cog.BuildErrors)(nil); errors.As(err, &found) && len(found) == 0 {
		return
	}
	if err != nil {
		t.Errorf("%T: %v", into, err)
	}
}

func TestGrafanaTakesTheDashboard(t *testing.T) {
	all, rows := panels(t, written(t, everywhere(measured("watch"))))
	if !slices.Equal(rows, []string{"assay watch", "pve1"}) {
		t.Errorf("rows %q", rows)
	}
	ids := map[uint32]bool{}
	for _, p := range all {
		if p.Type != "timeseries" || p.Id == nil || ids[*p.Id] {
			t.Errorf("panel %q is a %s, or has the number of another", *p.Title, p.Type)
			continue
		}
		ids[*p.Id] = true
		if _, is := p.Options.(*timeseries.Options); !is {
			t.Errorf("%s: options %T", *p.Title, p.Options)
		}
		if _, is := p.FieldConfig.Defaults.Custom.(*timeseries.FieldConfig); !is {
			t.Errorf("%s: custom %T", *p.Title, p.FieldConfig.Defaults.Custom)
		}
		if unit := *p.FieldConfig.Defaults.Unit; !slices.Contains([]string{units.Seconds, units.BytesPerSecondSI, units.Celsius, units.PercentUnit, units.Short}, unit) {
			t.Errorf("%s: Grafana has no unit %q", *p.Title, unit)
		}
		for _, q := range p.Targets {
			if _, is := q.(*prometheus.Dataquery); !is {
				t.Errorf("%s: a query is %T", *p.Title, q)
			}
		}
	}
	if len(ids) != 4+4 { // p99 and temperature of the host, throughput and round trip of its link
		t.Errorf("%d panels", len(ids))
	}
}

// Now against then: the series in Prometheus, the baseline's figure, and the alert's
// threshold.
func TestDashboardShowsBaselineAgainstNow(t *testing.T) {
	all, _ := panels(t, written(t, everywhere(measured("watch"))))
	for title, want := range map[string]struct {
		now, baseline string
		limit         float64
	}{
		"fio/syncwrite-4k, /srv: storage.write.latency.p99": {`assay_storage_write_latency_seconds{case="fio/syncwrite-4k",host="pve1",quantile="0.99",subject="/srv",suite="watch"}`, "vector(0.004)", .02},
		"iperf3/tcp-1, pve1 → pve2: net.tcp.throughput":     {`assay_net_tcp_throughput_bytes_per_second{case="iperf3/tcp-1",host="pve1",network="storage",peer="pve2",subject="pve1 → pve2",suite="watch"}`, "vector(1.1e+09)", 5.5e8},
		"smart/health, sda: smart.temperature":              {`assay_smart_temperature_celsius{case="smart/health",host="pve1",subject="sda",suite="watch"}`, "vector(46)", 0},
	} {
		i := slices.IndexFunc(all, func(p dashboard.Panel) bool { return *p.Title == title })
		if i < 0 {
			t.Errorf("no panel %q", title)
			continue
		}
		var exprs []string
		for _, q := range all[i].Targets {
			exprs = append(exprs, q.(*prometheus.Dataquery).Expr)
		}
		if !slices.Equal(exprs, []string{want.now, want.baseline}) {
			t.Errorf("%s: %q", title, exprs)
		}
		limit := 0.
		if th := all[i].FieldConfig.Defaults.Thresholds; th != nil {
			limit = *th.Steps[1].Value
		}
		if limit != want.limit {
			t.Errorf("%s: threshold %g, want %g", title, limit, want.limit)
		}
	}
}

var metric = regexp.MustCompile(`\bassay_[a-z0-9_]+`)

// Every metric queried by the dashboard and the rules is exported by a watch, and every
// expression is PromQL.
func TestDashboardAsksForWhatThereIs(t *testing.T) {
	run := measured("watch")
	c := everywhere(run)
	exported := metric.FindAllString(page(t, *run), -1)
	text := written(t, c)
	for _, name := range append(metric.FindAllString(string(text), -1), metric.FindAllString(exprs(c.Rules()), -1)...) {
		if !slices.Contains(exported, name) {
			t.Errorf("%s is not exported", name)
		}
	}
	all, _ := panels(t, text)
	var rules []alerts.Rule
	for _, p := range all {
		for _, q := range p.Targets {
			rules = append(rules, alerts.Rule{Exporter: "dashboard", Alert: "Query", For: "0m", Expr: q.(*prometheus.Dataquery).Expr, Severity: *p.Title})
		}
	}
	if len(rules) != 4+2*4 {
		t.Errorf("%d queries", len(rules))
	}
	if _, err := exec.LookPath("promtool"); err == nil {
		file, _ := files(t, rules)
		tool(t, "promtool", "check", "rules", "--lint=none", file)
	}
}

// page returns what a watch exports for a run with everything.
func page(t *testing.T, run assay.Run) string {
	t.Helper()
	run.Inventory.Hosts = []assay.Host{{Name: "pve1"}}
	facts := run.Inventory.Facts["pve1"]
	facts.Clock = &assay.ClockFacts{}
	run.Inventory.Facts = map[string]assay.Facts{"pve1": facts}
	var b bytes.Buffer
	if err := (exposition.Watch{Run: run, Every: time.Hour, Changes: []exposition.Change{{Host: "pve1", Metric: "net.rtt.median", Verdict: "worse"}}}).Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A name that Grafana would take for a variable is plain text in titles and unchanged
// in queries, and no name starts a new line.
func TestNamesAreNoVariables(t *testing.T) {
	const odd = "/srv/$datasource/[[datasource]]/${datasource}\n\x1b[31m"
	run := measured("watch")
	for i := range run.Results {
		run.Results[i].Trial.Subject.Name = odd
	}
	all, _ := panels(t, written(t, everywhere(run)))
	variable := regexp.MustCompile(`\$\w|\$\{|\[\[|\n|\x1b`)
	quoted := 0
	for _, p := range all {
		if variable.MatchString(*p.Title) {
			t.Errorf("title %q", *p.Title)
		}
		for _, q := range p.Targets {
			expr := q.(*prometheus.Dataquery).Expr
			if variable.MatchString(expr) {
				t.Errorf("query %s", expr)
			}
			if strings.Contains(expr, `/srv/\x24datasource/\x5b\x5bdatasource]]/\x24{datasource}`) {
				quoted++
			}
		}
	}
	if quoted != 4 {
		t.Errorf("%d queries have the name", quoted)
	}
}

// Panels of many hosts are in collapsed rows, or a browser would query all of them at
// once.
func TestManyHostsAreClosed(t *testing.T) {
	run := measured("watch")
	one := run.Results[0]
	run.Results = nil
	for _, host := range []string{"a", "b", "c", "d", "e"} {
		one.Trial.Subject.Host = host
		run.Results = append(run.Results, one)
	}
	text := written(t, alerts.Of(cluster.Cluster{}, run))
	var d struct{ Panels []struct{ Collapsed bool } }
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	if n := len(slices.DeleteFunc(d.Panels, func(p struct{ Collapsed bool }) bool { return !p.Collapsed })); n != 5 {
		t.Errorf("%d rows are closed, want 5", n)
	}
	if all, rows := panels(t, text); len(rows) != 6 || len(all) != 4+5 {
		t.Errorf("%d panels in %d rows", len(all), len(rows))
	}
}

func TestNoDashboardWithoutARound(t *testing.T) {
	for _, c := range []alerts.Cluster{everywhere(measured("cluster")), {}} {
		if err := c.Dashboard(&bytes.Buffer{}, "lab"); err == nil || !strings.Contains(assay.Hint(err), "assay watch -i cluster.yaml --rounds 1") {
			t.Errorf("%v", err)
		}
	}
}
