package report_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/analysis"
	"assay/compare"
	"assay/internal/quantity"
	"assay/inventory/traits"
	"assay/report"
	"assay/report/reporttest"
	"assay/stats"
)

// saidRuns returns runs whose verdicts have sentences of all kinds.
func saidRuns() map[string]assay.Run {
	all := sickRuns()
	all["tiers"], all["several at once"] = reporttest.TiersRun(), reporttest.ScalingRun()
	busy := reporttest.ClusterRun()
	for _, r := range busy.Results[:3] {
		busy.Findings = append(busy.Findings, assay.Finding{Rule: analysis.BusyRule, Subject: r.Trial.ID, Severity: assay.Warns, Message: "something else was running", Advice: "stop it"})
	}
	all["busy"] = busy
	all["alike"] = alike(reporttest.ClusterRun())
	all["nearly alike"] = nearlyAlike(alike(reporttest.ClusterRun()))
	return all
}

// nearlyAlike makes the hosts of a run differ by 4 °C in temperature and by 60 µs in round
// trips, which is much as a ratio.
func nearlyAlike(run assay.Run) assay.Run {
	for i, r := range run.Results {
		if r.Trial.Subject.Kind != assay.KindThermal || r.Trial.Subject.Host != "pve2" {
			continue
		}
		reps := slices.Clone(r.Repeats)
		for k := range reps {
			reps[k].Measurements = slices.Clone(reps[k].Measurements)
			for j := range reps[k].Measurements {
				if m := &reps[k].Measurements[j]; m.Metric == "thermal.rise" {
					m.Value -= 4
				}
			}
		}
		run.Results[i].Repeats = reps
	}
	network := assay.Network{Name: "lab", Addresses: map[string]string{}}
	for _, from := range run.Inventory.Hosts {
		network.Addresses[from.Name] = from.Name
		for _, to := range run.Inventory.Hosts {
			if from.Name == to.Name {
				continue
			}
			took := 100e-6
			if from.Name == "pve2" && to.Name == "pve3" {
				took = 160e-6
			}
			id := from.Name + "/link/lab:" + to.Name
			run.Results = append(run.Results, assay.Result{
				Trial: assay.Trial{ID: "ping@" + id, Title: "round trip, " + from.Name + " → " + to.Name + " on lab", Repeats: 1, Peer: to.Name,
					Subject: assay.Subject{ID: id, Kind: assay.KindLink, Host: from.Name, Peer: to.Name, Network: "lab", Name: "lab"}},
				Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Elapsed: time.Minute, Measurements: []assay.Measurement{{Metric: "net.rtt.median", Unit: assay.Seconds, Value: took}}}},
			})
		}
	}
	run.Inventory.Networks = []assay.Network{network}
	return run
}

// alike gives all hosts of a run the figures and facts of the first.
func alike(run assay.Run) assay.Run {
	first := run.Inventory.Hosts[0].Name
	facts := run.Inventory.Facts[first]
	for h := range run.Inventory.Facts {
		f := facts
		f.Host = h
		run.Inventory.Facts[h] = f
	}
	for i := range run.Inventory.Hosts {
		run.Inventory.Hosts[i].Labels = nil
	}
	run.Inventory.Hosts = slices.DeleteFunc(run.Inventory.Hosts, func(h assay.Host) bool { return h.Absent != nil })
	run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool {
		return r.Trial.Subject.Kind == assay.KindLink || len(r.Counted()) == 0
	})
	same := map[string][]assay.Repeat{}
	for _, r := range run.Results {
		if r.Trial.Subject.Host == first {
			same[r.Trial.Title] = r.Repeats
		}
	}
	for i, r := range run.Results {
		if reps, is := same[r.Trial.Title]; is && r.Trial.Absent == nil {
			run.Results[i].Repeats = reps
		}
	}
	return run
}

// Every number in a verdict, and in what it has no room for, follows from the tables,
// facts and findings of the same document: counts are recounted, and figures must
// exist.
func TestVerdictsSayNumbersOfTheDocument(t *testing.T) {
	checked, counted := 0, map[string]int{}
	for name, run := range saidRuns() {
		d := report.Build(run)
		known := numbersOf(t, d, run)
		for _, s := range slices.Concat(d.Verdict, d.Further) {
			for what, recount := range recounts {
				if got := recount.says.FindStringSubmatch(s.Text); got != nil {
					counted[what]++
					if want := recount.count(d, run, got); want != "" {
						t.Errorf("%s: %q: %s", name, s.Text, want)
					}
				}
			}
			for _, n := range number.FindAllString(s.Text, -1) {
				if checked++; !known[n] {
					t.Errorf("%s: %q is nowhere in the document: %s", name, n, s.Text)
				}
			}
		}
	}
	for what := range recounts {
		if counted[what] == 0 {
			t.Errorf("no verdict says %s", what)
		}
	}
	if checked < 100 {
		t.Errorf("only %d numbers", checked)
	}
}

// recount is a sentence that counts, and a check of its numbers; "" if they are right.
type recount struct {
	says  *regexp.Regexp
	count func(d report.Document, run assay.Run, said []string) string
}

var recounts = map[string]recount{
	"rows without a number": {regexp.MustCompile(`(\d+) of (\d+) rows? (?:without a number|have no number)`), func(d report.Document, _ assay.Run, said []string) string {
		lack, all := 0, 0
		for _, s := range d.Sections {
			for _, r := range s.Rows {
				all++
				if r.Absent != nil && r.Absent.Word != assay.NotSupported && r.Absent.Gone == "" {
					lack++
				}
			}
		}
		return differs(said[1:], lack, all)
	}},
	"rows rejected": {regexp.MustCompile(`(\d+) rows? rejected`), func(d report.Document, _ assay.Run, said []string) string {
		rejected := 0
		for _, s := range d.Sections {
			for _, r := range s.Rows {
				if slices.ContainsFunc(r.Figures, func(f report.Figure) bool { return f.Rejected }) {
					rejected++
				}
			}
		}
		return differs(said[1:], rejected)
	}},
	"trials beside other work": {regexp.MustCompile(`during (\d+) trials?; expect`), func(d report.Document, _ assay.Run, said []string) string {
		trials := 0
		for _, n := range d.Findings {
			if n.Rule == analysis.BusyRule {
				trials++
			}
		}
		return differs(said[1:], trials)
	}},
	"rows in which hosts are alike": {regexp.MustCompile(`No host stands out: in (?:(\d+) of )?(\d+) rows? .* within 15 % of the median([^;.]*)`), func(d report.Document, _ assay.Run, said []string) string {
		alike, rows := shared(d.Side, orWithin(said[3]))
		if said[1] == "" {
			said[1] = said[2]
		}
		return differs(said[1:3], alike, rows)
	}},
	"differences that are small but for their ratio": {regexp.MustCompile(`No host stands out: .* within 15 % of the median, (or within [^;.]*)`), func(d report.Document, _ assay.Run, said []string) string {
		within, rows := shared(d.Side, orWithin(said[1]))
		if less, _ := shared(d.Side, nil); less == within {
			return fmt.Sprintf("all %d of %d rows are within 15 %%", within, rows)
		}
		return ""
	}},
	"facts that differ": {regexp.MustCompile(`^(\S+) is (?:also )?set up differently: (.*?)\.(?: No figure|$)`), func(_ report.Document, run assay.Run, said []string) string {
		for _, trait := range slices.Concat(traits.Host, traits.MeasuredDrive()) {
			own := trait.Text(run.Inventory.Facts[said[1]])
			if !strings.HasPrefix(said[2], trait.Name+" "+own+" (all others ") || own == "" {
				continue
			}
			for h, f := range run.Inventory.Facts {
				if text := trait.Text(f); h != said[1] && (text == own || text != "" && !strings.Contains(said[2], text)) {
					return fmt.Sprintf("%s of %s is %q", trait.Name, h, text)
				}
			}
			return ""
		}
		return "no fact is like it"
	}},
}

func differs(said []string, want ...int) string {
	for i, w := range want {
		if said[i] != strconv.Itoa(w) {
			return fmt.Sprintf("counted again: %v", want)
		}
	}
	return ""
}

// orWithin reads the differences that a sentence allows besides the ratio, by metric:
// ", or within 5 °C (temperatures) of it".
func orWithin(said string) map[string]float64 {
	all := map[string]float64{}
	for _, one := range regexp.MustCompile(`(\S+) (°C|µs) \((\pL+)`).FindAllStringSubmatch(said, -1) {
		v, _ := strconv.ParseFloat(one[1], 64)
		if one[2] == "µs" {
			v /= 1e6
		}
		all[map[string]string{"temperatures": "thermal.rise", "round": "net.rtt.median"}[one[3]]] = v
	}
	return all
}

// shared counts the rows and matrices with three or more hosts, and those in which all
// are within 15 % of the median, or within what is allowed for their metric.
func shared(s *report.Side, within map[string]float64) (alike, rows int) {
	judged := func(metric string) bool {
		return strings.HasPrefix(metric, "storage.") || slices.Contains([]string{
			"cpu.events_per_second", "memory.read.bandwidth", "memory.write.bandwidth", "thermal.rise", "net.tcp.throughput", "net.udp.throughput", "net.rtt.median",
		}, metric)
	}
	count := func(metric string, hosts int, values []float64) {
		if hosts < 3 || !judged(metric) {
			return
		}
		rows++
		median := stats.Median(values)
		if !slices.ContainsFunc(values, func(v float64) bool {
			return !(v < 1.15*median && v > median/1.15) && !(math.Abs(v-median) < within[metric])
		}) {
			alike++
		}
	}
	values := func(cells []analysis.SideCell) (all []float64) {
		for _, c := range cells {
			if c.Figure != nil {
				all = append(all, c.Figure.Value)
			}
		}
		return all
	}
	for _, table := range s.Tables {
		for _, r := range table.Rows {
			of := values(r.Cells)
			count(r.Metric, len(of), of)
		}
	}
	for _, m := range s.Networks {
		senders, all := 0, []float64{}
		for _, row := range m.Cells {
			if of := values(row); len(of) > 0 {
				senders, all = senders+1, append(all, of...)
			}
		}
		count(m.Metric, senders, all)
	}
	return alike, rows
}

// numbersOf returns all numbers of a document outside sentences: of its figures as people
// read them, its facts, findings and counts.
func numbersOf(t *testing.T, d report.Document, run assay.Run) map[string]bool {
	t.Helper()
	known := map[string]bool{"15": true, "5": true, "100": true} // the sentence's own limits for alike hosts
	add := func(texts ...string) {
		for _, text := range texts {
			for _, n := range number.FindAllString(text, -1) {
				known[n] = true
			}
		}
	}
	effects := d.Diagnoses
	d.Verdict, d.Further, d.Diagnoses = nil, nil, nil
	if d.Side != nil {
		side := *d.Side
		side.Outliers = nil
		d.Side = &side
	}
	for _, one := range effects {
		add(one.Evidence...)
		add(quantity.Grouped(float64(len(one.Effects))))
		for _, e := range one.Effects {
			add(quantity.Of(e.Metric, e.Own), quantity.Of(e.Metric, e.From), quantity.Of(e.Metric, e.To), quantity.Two(e.Ratio))
		}
		for _, s := range one.Signs {
			add(quantity.Grouped(s.Least), quantity.Grouped(s.Greatest), quantity.Grouped(s.Others), quantity.Grouped(float64(s.Paths)))
		}
	}
	add(factTexts(run)...)
	add(run.ID, (30 * time.Minute).String(), "30m")
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	add(string(text))
	figures(reflect.ValueOf(d), add)
	for _, n := range counts(d) {
		add(quantity.Grouped(float64(n)))
	}
	return known
}

// figures visits all figures and shares of a document.
func figures(v reflect.Value, add func(...string)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			figures(v.Elem(), add)
		}
	case reflect.Slice:
		for i := range v.Len() {
			figures(v.Index(i), add)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			figures(v.MapIndex(k), add)
		}
	case reflect.Struct:
		switch f := v.Interface().(type) {
		case report.Figure:
			add(quantity.Of(f.Metric, f.Value))
			add(report.Number(f))
		case report.Ceiling:
			add(fmt.Sprintf("%.0f", 100*f.Share))
		case report.FitUse:
			add(quantity.Grouped(f.Least), quantity.Grouped(f.Most), quantity.Two(f.Least/1e6))
		case compare.Against:
			add(quantity.Three(f.Ratio), quantity.Three(1/f.Ratio))
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				figures(v.Field(i), add)
			}
		}
	}
}

// counts returns the counts of a document.
func counts(d report.Document) map[string]int {
	n := map[string]int{}
	rules := map[string]bool{}
	warns := map[int]bool{}
	for _, f := range d.Findings {
		warns[f.Number] = f.Severity == assay.Warns
		n["of rule "+f.Rule]++
	}
	for _, o := range d.Open {
		rules[o.Rule] = true
	}
	n["rules"] = len(rules)
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			n["rows"]++
			n["figures"] += len(r.Figures)
			if r.Absent != nil {
				n["absent"]++
			}
			rejected := false
			for _, f := range r.Figures {
				rejected = rejected || f.Rejected
				if slices.ContainsFunc(f.Footnotes, func(n int) bool { return warns[n] }) {
					n["warned"]++
				}
			}
			if rejected {
				n["rejected"]++
			}
		}
	}
	if d.Side != nil {
		n["alike"], n["shared"] = shared(d.Side, nil)
		n["nearly alike"], _ = shared(d.Side, map[string]float64{"thermal.rise": 5, "net.rtt.median": 100e-6})
	}
	return n
}
