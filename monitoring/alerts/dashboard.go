package alerts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay"
	"assay/internal/oneline"
	"assay/internal/quantity"
	"assay/report/exposition"
	"assay/stats"
)

// health lists the drive metrics that a dashboard shows in addition to those whose
// changes a watch reports.
var health = []string{"smart.temperature", "smart.percentage_used", "smart.media_errors", "smart.reallocated_sectors", "smart.crc_errors"}

// source is the data source, which the user of the dashboard chooses.
var source = dataSource{"prometheus", "${datasource}"}

// openRows is the largest number of hosts whose panels are open initially: a browser
// queries only what it shows.
const openRows = 4

// Dashboard writes a Grafana dashboard: for each host and link, what a watch measures,
// against the baseline run, a round of a watch. name is the cluster's name.
func (c Cluster) Dashboard(w io.Writer, name string) error {
	if c.Run == nil || c.Run.Suite != "watch" {
		return assay.WithHint("run assay watch -i cluster.yaml --rounds 1 first, or choose a round with --run", "a dashboard needs a round of assay watch as its baseline")
	}
	key := sha256.Sum256([]byte(name))
	d := dashboard{
		UID: "assay-" + hex.EncodeToString(key[:])[:12], Title: "Storage and network of " + inTitle(name),
		Description: fmt.Sprintf("What assay watch measures, against run %s of %s. Written by assay alerts --dashboard.", c.Run.ID, c.Run.Started.UTC().Format("2006-01-02 15:04 UTC")),
		Tags:        []string{"assay"}, Timezone: "browser", Editable: true, GraphTooltip: 1,
		Time: timeRange{"now-7d", "now"}, Refresh: "5m", SchemaVersion: 39,
		Templating: templating{[]variable{{Type: "datasource", Name: "datasource", Label: "Data source", Query: "prometheus"}}},
		Annotations: annotated{[]annotation{{
			Name: "Worse", Datasource: source, Enable: true, IconColor: "red", Step: "5m", UseValueForTime: true,
			Expr:        `assay_change_time_seconds{verdict="worse"} * 1000`,
			TitleFormat: "{{metric}} got worse", TextFormat: "{{subject}} on {{host}} {{peer}}", TagKeys: "host,metric",
		}}},
	}
	sheet := sheet{}
	sheet.row("assay watch", false, c.watchPanels())
	hosts, byHost := c.watched()
	for _, host := range hosts {
		sheet.row(inTitle(host), len(hosts) > openRows, byHost[host])
	}
	d.Panels = sheet.all
	return d.write(w)
}

// watched returns the hosts, in the order of the run, and the panels of each.
func (c Cluster) watched() (hosts []string, panels map[string][]panel) {
	shown := slices.Concat(exposition.Watched, health)
	panels = map[string][]panel{}
	for _, f := range exposition.FiguresOf(*c.Run) {
		host := f.Trial.Subject.Host
		if !slices.Contains(shown, f.Metric) || f.Rejected {
			continue
		}
		if panels[host] == nil {
			hosts = append(hosts, host)
		}
		panels[host] = append(panels[host], c.panelOf(f))
	}
	return hosts, panels
}

// watchPanels returns the panels for the watch itself and the clocks.
func (c Cluster) watchPanels() []panel {
	offset := graph("Clock offset", "s", []target{{Expr: `assay_clock_offset_seconds{suite="watch"}`, LegendFormat: "{{host}}"}})
	age := graph("Age of the newest round", "s", []target{{Expr: `time() - max(assay_run_start_time_seconds{suite="watch"})`, LegendFormat: "age"}})
	age.limit(max(stoppedLeast, stoppedRounds*c.every().Seconds()), false)
	failed := graph("Failed rounds since the watch started", "short", []target{{Expr: "assay_watch_failed_rounds", LegendFormat: "failed"}})
	worse := graph("Regressions in the last 7 days", "short", []target{{Expr: `count by (host, metric) (time() - assay_change_time_seconds{verdict="worse"} < 604800)`, LegendFormat: "{{metric}} of {{host}}"}})
	return []panel{age, failed, offset, worse}
}

// panelOf returns the panel of a figure: its current value, its baseline, and its alert
// threshold, if it has one.
func (c Cluster) panelOf(f exposition.Figure) panel {
	m, _ := assay.Describe(f.Metric)
	n, _ := exposition.NameOf(f.Metric)
	labels := f.Identity("watch")
	if n.Quantile != "" {
		labels["quantile"] = n.Quantile
	}
	was := stats.Median(f.Values)
	title := cmp.Or(f.Trial.Title, f.Trial.Probe+"/"+f.Trial.Case)
	if f.Trial.Peer == "" || !strings.Contains(title, f.Trial.Peer) {
		title += ", " + f.Trial.Subject.Name
	}
	p := graph(inTitle(title)+": "+f.Metric, grafanaUnit(m.Unit, n.Unit), []target{
		{Expr: inQuery(exposition.Series(n.Metric, labels)), LegendFormat: "now"},
		{Expr: "vector(" + exact(was) + ")", LegendFormat: "baseline"},
	})
	p.Description = fmt.Sprintf("Baseline: %s in run %s.", quantity.Amount(was, m.Unit), c.Run.ID)
	p.FieldConfig.Overrides = []override{{matcher{"byName", "baseline"}, []property{
		{"custom.lineStyle", map[string]any{"fill": "dash", "dash": []int{10, 10}}},
		{"color", map[string]string{"mode": "fixed", "fixedColor": "gray"}},
	}}}
	if limit, below, known := limitOf(f.Metric, was); known {
		p.limit(limit, below)
		p.Description += fmt.Sprintf(" An alert fires beyond %s.", quantity.Amount(limit, m.Unit))
	}
	return p
}

// graph returns a panel of lines over time.
func graph(title, unit string, targets []target) panel {
	for i := range targets {
		targets[i].RefID, targets[i].Datasource, targets[i].EditorMode, targets[i].Range = string(rune('A'+i)), source, "code", true
	}
	p := panel{Type: "timeseries", Title: title, Datasource: source, Targets: targets}
	p.FieldConfig = fieldConfig{defaults{Unit: unit, Custom: custom{LineWidth: 1, ShowPoints: "auto"}}, []override{}}
	p.Options = options{legend{true, "list", "bottom", []string{}}, tooltip{"multi", "none"}}
	return p
}

// limit draws a line at a threshold.
func (p *panel) limit(at float64, below bool) {
	good, bad := "green", "red"
	if below {
		good, bad = bad, good
	}
	p.FieldConfig.Defaults.Thresholds = &thresholds{"absolute", []step{{nil, good}, {&at, bad}}}
	p.FieldConfig.Defaults.Custom.ThresholdsStyle = &mode{"dashed"}
}

// sheet lays out panels, two per row.
type sheet struct {
	all   []any
	y, id int
}

func (s *sheet) next() int {
	s.id++
	return s.id
}

func (s *sheet) row(title string, collapsed bool, panels []panel) {
	const width, height = 12, 8
	r := row{Type: "row", ID: s.next(), Title: title, Collapsed: collapsed, GridPos: grid{1, 2 * width, 0, s.y}, Panels: []panel{}}
	s.y++
	for i := range panels {
		panels[i].ID = s.next()
		panels[i].GridPos = grid{height, width, i % 2 * width, s.y + i/2*height}
	}
	if collapsed {
		r.Panels = panels
		s.all = append(s.all, r)
		return
	}
	s.all = append(s.all, r)
	for _, p := range panels {
		s.all = append(s.all, p)
	}
	s.y += (len(panels) + 1) / 2 * height
}

// grafanaUnit returns Grafana's name of a unit.
func grafanaUnit(u assay.Unit, named string) string {
	switch {
	case named == "ratio":
		return "percentunit"
	case u == assay.Seconds:
		return "s"
	case u == assay.BytesPerSecond:
		return "Bps"
	case u == assay.Celsius:
		return "celsius"
	}
	return "short"
}

// inQuery keeps Grafana from expanding its variables in the names in a query: PromQL
// decodes the escapes.
func inQuery(expr string) string {
	return strings.NewReplacer("$", `\x24`, "[[", `\x5b\x5b`).Replace(expr)
}

// inTitle keeps Grafana from expanding its variables in a title, which has no escapes,
// and keeps the title to one line.
func inTitle(text string) string {
	return strings.NewReplacer("$", "＄", "[[", "［［").Replace(oneline.Clean(text))
}

// exact formats a value with all its digits, as PromQL reads it.
func exact(v float64) string { return fmt.Sprintf("%g", v) }
