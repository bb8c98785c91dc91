package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
)

// row is one test on one thing, with all that was published about it.
type row struct {
	line    int
	host    string
	subject string // what of the host; "" where there is only one such thing
	compare string // the comparison it belongs to
	// compared is the thing of a table in running text that it is about: the subject
	// without what was done to it.
	compared string
	labels   map[string]string
	argv     []string // the command, if published
	figures  []figure
}

// figure is one measurement in base units.
type figure struct {
	line    int
	metric  string
	value   float64
	labels  map[string]string // in addition to the row's
	samples []assay.Sample
	text    string // as written, with its unit; from YAML
	at      *spot  // in a printed table; nil elsewhere
}

// operation returns the part of a metric's name that identifies one test:
// storage.read, cpu, object.put. Reads and writes are two tests.
func operation(metric string) string {
	words := strings.Split(metric, ".")
	switch words[0] {
	case "storage", "memory", "object", "pool":
		switch words[1] {
		case "read", "write", "trim", "put", "get", "delete", "head", "list":
			return words[0] + "." + words[1]
		}
		return words[0]
	}
	return words[0]
}

// operation returns that of the row's first figure from a test, or storage if
// there is none and the settings are for storage.
func (r row) operation() string {
	for _, f := range r.figures {
		if op := operation(f.metric); op != "tool" {
			return op
		}
	}
	if r.labels["pattern"] != "" {
		return "storage"
	}
	return "tool"
}

// mixed reports whether reads and writes were one test.
func (r row) mixed() bool {
	return strings.HasSuffix(r.labels["pattern"], "rw") || r.labels["pattern"] == "mixed"
}

// testOf returns the operation of a figure; "" if it belongs to all tests of the
// row, such as how long they took, or what a device did besides.
func (r row) testOf(f figure) string {
	op := operation(f.metric)
	described, _ := assay.Describe(f.metric)
	if op == "tool" || op == "storage" || described.Support && !r.headed(op) {
		return ""
	}
	if r.mixed() && strings.HasPrefix(op, "storage.") {
		return "storage.mixed"
	}
	return op
}

// headed reports whether the row has a figure of that operation that is not only
// for the audit.
func (r row) headed(op string) bool {
	return slices.ContainsFunc(r.figures, func(f figure) bool {
		described, _ := assay.Describe(f.metric)
		return operation(f.metric) == op && !described.Support
	})
}

// tests splits a row whose figures come from several tests. Figures that belong
// to all tests go to each.
func (r row) tests() []row {
	var order []string
	for _, f := range r.figures {
		if op := r.testOf(f); op != "" && !slices.Contains(order, op) {
			order = append(order, op)
		}
	}
	if len(order) < 2 {
		return []row{r}
	}
	var all []row
	for _, op := range order {
		each := r
		each.figures = nil
		for _, f := range r.figures {
			if of := r.testOf(f); of == op || of == "" {
				each.figures = append(each.figures, f)
			}
		}
		all = append(all, each)
	}
	return all
}

// results turns rows into results with descriptive, unique ids, and returns the row
// of each.
func results(rows []row, facts map[string]assay.Facts) (all []assay.Result, of []row) {
	taken := map[string]int{}
	for _, whole := range rows {
		for _, r := range whole.tests() {
			if len(r.figures) == 0 {
				continue
			}
			subject := r.about(facts[r.host])
			id := r.id()
			if taken[id]++; taken[id] > 1 {
				id = fmt.Sprintf("%s (%d)", id, taken[id])
			}
			tool := r.labels["tool"]
			of = append(of, r)
			all = append(all, assay.Result{
				Trial: assay.Trial{ID: id, Probe: tool, Case: r.test(), Title: r.test(), Subject: subject, Comparison: r.compare},
				Repeats: []assay.Repeat{{
					N: 1, Outcome: assay.Done, Measurements: r.measurements(), Transcript: r.transcript(tool),
				}},
			})
		}
	}
	return all, of
}

func (r row) transcript(tool string) assay.Transcript {
	if r.argv == nil {
		return assay.Transcript{Probe: tool}
	}
	return assay.Transcript{Probe: tool, Steps: []assay.Step{{Name: "measure", Argv: r.argv}}}
}

func (r row) measurements() []assay.Measurement {
	var all []assay.Measurement
	for _, f := range r.figures {
		labels := maps.Clone(r.labels)
		if labels == nil {
			labels = map[string]string{}
		}
		if r.subject != "" {
			labels["subject"] = r.subject
		}
		maps.Copy(labels, f.labels)
		described, _ := assay.Describe(f.metric)
		all = append(all, assay.Measurement{
			Metric: f.metric, Value: f.value, Unit: described.Unit, Labels: labels, Samples: f.samples, Line: f.line,
		})
	}
	return all
}

// about returns the subject of a row. It has its own name if facts about it
// were given; otherwise storage is the directory "given", and a drive the disk,
// which the host's facts describe.
func (r row) about(facts assay.Facts) assay.Subject {
	family, _, _ := strings.Cut(r.operation(), ".")
	kind, name := assay.SubjectKind(family), family
	if k, ok := kinds[family]; ok {
		kind, name = k, string(k)
	}
	switch family {
	case "storage":
		kind, name = assay.KindDirectory, given
		if facts.Dir(r.subject) != nil {
			name = r.subject
		}
	case "smart":
		kind, name = assay.KindDrive, disk
		if facts.Device(r.subject) != nil {
			name = r.subject
		}
	case "cpu", "memory", "thermal":
	default:
		if r.subject != "" {
			name = r.subject
		}
	}
	return assay.Subject{ID: strings.Join([]string{r.host, string(kind), name}, "/"), Kind: kind, Host: r.host, Name: name}
}

// kinds maps metric families to their subjects where the names differ.
var kinds = map[string]assay.SubjectKind{
	"net": assay.KindNetwork, "pool": assay.KindPool, "object": assay.KindBucket, "migration": assay.KindGuest, "failover": assay.KindFailover,
}

// id describes what was measured where, as a person would: "pve1 4k randread".
func (r row) id() string {
	return strings.Join(words(r.host, r.subject, r.test()), " ")
}

// test names the test by the settings that distinguish tests.
func (r row) test() string {
	if job := r.labels["job"]; job != "" {
		return job
	}
	l := r.labels
	family, what, _ := strings.Cut(r.operation(), ".")
	switch family {
	case "storage":
		return strings.Join(words(l["bs"], cmp.Or(l["pattern"], what, "storage")), " ")
	case "cpu", "memory":
		return strings.Join(words(family, what, counted(l["threads"], "thread")), " ")
	case "net":
		if l["from"] != "" && l["to"] != "" {
			return l["from"] + " to " + l["to"]
		}
		return "network"
	case "pool":
		return strings.Join(words(cmp.Or(l["op"], what), counted(l["clients"], "client")), " ")
	case "object":
		return strings.Join(words(what, l["object_size"]), " ")
	}
	return family
}

func counted(n, of string) string {
	switch n {
	case "":
		return ""
	case "1":
		return "1 " + of
	}
	return n + " " + of + "s"
}

// words leaves out empty strings.
func words(all ...string) []string {
	return slices.DeleteFunc(all, func(w string) bool { return w == "" })
}
