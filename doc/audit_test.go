// Package doc_test keeps the documents of this folder correct.
package doc_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"assay"
	"assay/audit"
	"assay/ingest"
	"assay/ingest/readers"
	"assay/ingest/userfacts"
	"assay/store/archive"
)

var update = flag.Bool("update", false, "write doc/audit.md")

// judged is one captured output, and a person's verdict on it.
type judged struct {
	File string `yaml:"file"`
	// Command is the command line from the notes beside the file: a reader of
	// pasted output would see it above.
	Command string `yaml:"command"`
	// Facts are the values given with --fact.
	Facts []string `yaml:"facts"`
	// Supposed marks facts that are not known of that machine: the figures are
	// real, but compared with another machine.
	Supposed bool `yaml:"supposed"`
	// Fires are the rules that should reject or warn: "E little".
	Fires []string `yaml:"fires"`
	// Open are known faults of assay: rules of Fires that do not fire, and others
	// that do. They are counted, but fail no test.
	Open []string `yaml:"open"`
	// Apart marks a case that was judged before assay read it, and for which no rule or
	// reader is changed: it is scored, but fails no test.
	Apart bool `yaml:"apart"`
	// Second marks a case of the second set, part of which is kept apart.
	Second bool `yaml:"second"`
	// Third marks a case of the third set, likewise.
	Third bool `yaml:"third"`
	// Fourth marks a case of the fourth set, all of which is kept apart.
	Fourth bool   `yaml:"fourth"`
	Why    string `yaml:"why"`
	// Figures are what a person noted from a case that is kept apart or of the second
	// set, May the arguable verdicts on it, Traps what an expert sees in it.
	Figures []noted  `yaml:"figures"`
	May     []string `yaml:"may"`
	Traps   []trap   `yaml:"traps"`
}

func (c judged) name() string {
	return strings.Join(append([]string{c.File}, c.Facts...), " --fact ")
}

// wrong returns where the program disagrees with the judge; arithmetic maps
// each verdict to its arithmetic.
func (c judged) wrong(arithmetic map[string]string) (missed, alarms []string) {
	for _, v := range c.Fires {
		if _, fires := arithmetic[v]; !fires {
			missed = append(missed, v)
		}
	}
	for _, v := range slices.Sorted(maps.Keys(arithmetic)) {
		if !slices.Contains(c.Fires, v) && !slices.Contains(c.May, v) {
			alarms = append(alarms, v)
		}
	}
	return missed, alarms
}

// cases returns all judged cases.
func cases(t *testing.T) []judged {
	t.Helper()
	var all []judged
	for _, name := range []string{"cases.yaml", "apart.yaml", "second.yaml", "third.yaml", "fourth.yaml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var some []judged
		if err := yaml.UnmarshalWithOptions(text, &some, yaml.Strict()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, some...)
	}
	return all
}

// verdict is the audit's verdict on one case.
type verdict struct {
	fires    map[string]string   // "E little": the arithmetic of the first such finding
	rules    map[string]bool     // with any finding, even informational
	tools    []string            // "fio 3.33", of what was read
	read     []assay.Measurement // all figures
	findings []assay.Finding     // all, including informational and unchecked
}

// isRun reports whether a file holds runs exported by assay itself.
func isRun(file string) bool { return filepath.Ext(file) == ".assay" }

// verdicts reads and audits a case as assay audit does: an output, or runs.
func verdicts(t *testing.T, c judged) verdict {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", c.File))
	if err != nil {
		t.Fatal(err)
	}
	v := verdict{fires: map[string]string{}, rules: map[string]bool{}}
	if isRun(c.File) {
		for _, run := range runsIn(t, c.File, text) {
			v.add(audit.Audit(audit.Of(run)), run.Results)
		}
		return v
	}
	if c.Command != "" {
		text = append([]byte("$ "+c.Command+"\n"), text...)
	}
	var r ingest.Reading
	// Unreadable output is the business of its reader's tests; here it means
	// that nothing fires.
	if ingest.IsTable(c.File, text) {
		_ = r.ReadTable(c.File, text)
	} else {
		_ = r.Read(c.File, bytes.NewReader(text), readers.All())
	}
	var given assay.Facts
	for _, word := range c.Facts {
		if err := userfacts.Set(&given, word); err != nil {
			t.Fatalf("%s: %v", c.File, err)
		}
	}
	run := r.Run(map[string]assay.Facts{"": given})
	e := audit.Of(run)
	e.Give = userfacts.For
	v.add(audit.Audit(e), run.Results)
	return v
}

// add adds the audit's findings on some results.
func (v *verdict) add(findings []assay.Finding, results []assay.Result) {
	v.findings = append(v.findings, findings...)
	for _, f := range findings {
		if f.Severity != assay.NotChecked {
			v.rules[f.Rule] = true
		}
		key := fmt.Sprintf("%s %s", f.Severity, f.Rule)
		if _, seen := v.fires[key]; !seen && (f.Severity == assay.Rejects || f.Severity == assay.Warns) {
			v.fires[key] = f.Arithmetic
		}
	}
	for _, r := range results {
		if len(r.Repeats) == 0 {
			continue
		}
		v.tools = append(v.tools, versionOf(r))
		for _, repeat := range r.Repeats {
			v.read = append(v.read, repeat.Measurements...)
		}
	}
	slices.Sort(v.tools)
	v.tools = slices.Compact(v.tools)
}

// runsIn returns the runs of an exported file.
func runsIn(t *testing.T, name string, text []byte) []assay.Run {
	t.Helper()
	in, err := archive.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	defer in.Close()
	var found whole
	for {
		if err := in.Next(&found); errors.Is(err, io.EOF) {
			return found.runs
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// whole is a store.Taker that collects runs.
type whole struct{ runs []assay.Run }

func (w *whole) last() *assay.Run { return &w.runs[len(w.runs)-1] }

func (w *whole) Head(run assay.Run) error {
	w.runs = append(w.runs, run)
	return nil
}

func (w *whole) Trial(r assay.Result) error {
	w.last().Results = append(w.last().Results, r)
	return nil
}

func (w *whole) Repeat(r assay.Repeat) error {
	of := &w.last().Results[len(w.last().Results)-1]
	of.Repeats = append(of.Repeats, r)
	return nil
}

func versionOf(r assay.Result) string {
	for _, m := range r.Repeats[0].Measurements {
		if m.Labels["tool"] != "" {
			return strings.TrimSpace(m.Labels["tool"] + " " + m.Labels["version"])
		}
	}
	return r.Trial.Probe
}

// On every captured output the rules agree with a person who looked at it.
func TestEveryCaseIsJudgedRight(t *testing.T) {
	all := cases(t)
	found := make([]verdict, len(all))
	rules := map[string]audit.Rule{}
	for _, r := range audit.Rules() {
		rules[r.ID] = r
	}
	for i, c := range all {
		for _, v := range slices.Concat(c.Fires, c.Open, c.May) {
			severity, id, _ := strings.Cut(v, " ")
			if r, ok := rules[id]; !ok || severity != "E" && severity != "W" || !strings.Contains(r.Severities, severity) {
				t.Errorf("%s: no rule says %q", c.name(), v)
			}
		}
		found[i] = verdicts(t, c)
		if c.Apart {
			continue
		}
		missed, alarms := c.wrong(found[i].fires)
		for _, v := range missed {
			if !slices.Contains(c.Open, v) {
				t.Errorf("%s: %s does not fire", c.name(), v)
			}
		}
		for _, v := range alarms {
			if !slices.Contains(c.Open, v) {
				t.Errorf("%s: %s fires, and ought not: %s", c.name(), v, found[i].fires[v])
			}
		}
		for _, v := range c.Open {
			if !slices.Contains(missed, v) && !slices.Contains(alarms, v) {
				t.Errorf("%s: %s is right by now: strike it from open", c.name(), v)
			}
		}
	}
	tested := map[string]bool{}
	for _, c := range all {
		for _, v := range c.Fires {
			if !c.Apart {
				_, id, _ := strings.Cut(v, " ")
				tested[id] = true
			}
		}
	}
	for id, r := range rules {
		if informs := !strings.ContainsAny(r.Severities, "EW"); !informs && tested[id] == (uncaptured[id] != "") {
			t.Errorf("rule %s: it has a case (%v), or else a reason why it has none (%q)", id, tested[id], uncaptured[id])
		}
	}
	page := document(all, found)
	if *update {
		if err := os.WriteFile("audit.md", page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile("audit.md"); err != nil || !bytes.Equal(old, page) {
		t.Errorf("doc/audit.md is stale: go test ./doc -update (%v)", err)
	}
}

// A new capture must be judged before it counts.
func TestEveryCaptureHasACase(t *testing.T) {
	judged := map[string]bool{}
	for _, c := range cases(t) {
		judged[c.File] = true
		if _, err := os.Stat(filepath.Join("..", c.File)); err != nil {
			t.Error(err)
		}
	}
	for _, folder := range []string{"probe", "ingest/facts", "ingest/pasted", "ingest/table/testdata", "reference/documents", "doc/examples", "doc/runs", "doc/apart", "doc/tuned"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
			if d.IsDir() && (d.Name() == "fuzz" || d.Name() == "argv") {
				return fs.SkipDir
			}
			if !d.IsDir() && isCapture(name) && !judged[name] {
				t.Errorf("%s is judged in no entry of doc/cases.yaml, doc/apart.yaml, doc/second.yaml, doc/third.yaml or doc/fourth.yaml", name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// isCapture reports whether a file holds output of a tool, or a published
// table.
func isCapture(name string) bool {
	if !strings.Contains(name, "/testdata/") && !strings.HasPrefix(name, "reference/documents/") &&
		!strings.HasPrefix(name, "doc/examples/") && !strings.HasPrefix(name, "doc/runs/") && !strings.HasPrefix(name, "doc/apart/") && !strings.HasPrefix(name, "doc/tuned/") {
		return false
	}
	switch filepath.Ext(name) {
	case ".txt", ".json", ".assay":
		return true
	case ".md", ".csv", ".tsv", ".yaml", ".yml":
		return filepath.Base(name) != "README.md" && (strings.HasPrefix(name, "ingest/table/") || strings.HasPrefix(name, "reference/"))
	}
	return false
}

// document returns doc/audit.md.
func document(all []judged, found []verdict) []byte {
	var b bytes.Buffer
	apart := keptApart(all, found) +
		laterSet(all, found, func(c judged) bool { return c.Second }, secondHead, secondFirst) +
		laterSet(all, found, func(c judged) bool { return c.Third }, thirdHead, thirdFirst) +
		laterSet(all, found, func(c judged) bool { return c.Fourth }, fourthHead, fourthFirst)
	all, found = tuned(all, found)
	files, tools, made, runs, supposed := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, 0
	for i, c := range all {
		files[c.File] = true
		if isRun(c.File) {
			runs[c.File] = true
		}
		for _, name := range found[i].tools {
			tools[name] = true
		}
		if byHand(c.File) {
			made[c.File] = true
		}
		if c.Supposed {
			supposed++
		}
	}
	fmt.Fprintf(&b, head, len(all), len(files), len(runs), len(made), supposed, toolsAndVersions(tools))
	b.WriteString("| no. | rule | says | fires on | should fire | found | false alarms |\n| ---: | --- | --- | --- | ---: | ---: | ---: |\n")
	for _, r := range audit.Rules() {
		ought, hit, alarms, made := 0, 0, 0, 0
		for i, c := range all {
			should := has(c.Fires, r.ID)
			fires := has(slices.Collect(maps.Keys(found[i].fires)), r.ID)
			if should && c.Supposed {
				made++
			}
			switch {
			case should && fires:
				ought, hit = ought+1, hit+1
			case should:
				ought++
			case fires:
				alarms++
			}
		}
		rest := fmt.Sprintf("%s | %s | %s |", outOf(ought, made), share(hit, ought), share(alarms, len(all)-ought))
		if ought == 0 {
			rest = fmt.Sprintf("none, unit tests only: %s | – | %s |", uncaptured[r.ID], share(alarms, len(all)))
		}
		if !strings.ContainsAny(r.Severities, "EW") {
			rest = "informs only: not counted | – | – |"
		}
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s | %s\n", r.Number, r.ID, r.Severities, strings.ReplaceAll(r.Applies, "|", `\|`), rest)
	}
	b.WriteString(apart)
	b.WriteString(fuzzed)
	b.WriteString("\n## Known faults\n\n")
	none := true
	for _, c := range all {
		if len(c.Open) > 0 {
			none = false
			fmt.Fprintf(&b, "- `%s`: %s. %s\n", c.name(), strings.Join(c.Open, ", "), c.Why)
		}
	}
	if none {
		b.WriteString("None known.\n")
	}
	return b.Bytes()
}

// uncaptured maps the rules without a case to the reason.
var uncaptured = map[string]string{
	"thermal":          "nothing at hand counts throttling or has a sensor of its CPU or drive",
	"other-command":    "the one output that shows it is kept apart",
	"samples-total":    "the one output that shows it is kept apart",
	"hypervisor-cache": "the hypervisors at hand are stand-ins for the tools of real ones",
}

// tuned returns the cases that rules and readers were changed for.
func tuned(all []judged, found []verdict) (cases []judged, verdicts []verdict) {
	for i, c := range all {
		if !c.Apart {
			cases, verdicts = append(cases, c), append(verdicts, found[i])
		}
	}
	return cases, verdicts
}

const head = `# What the audit finds

Does each rule fire where it should, and stay silent where it shouldn't? Each entry in [cases.yaml](cases.yaml) is the output of one
tool, or one published table, with the rules that should reject (E) or warn (W), as judged by a person who read the output itself. A
test reads and audits each entry as ` + "`assay audit`" + ` does and compares the results. *Found* counts the cases in which a rule should fire
and does, at either severity; *false alarms* counts the other cases in which it fires. Informational findings (I) and checks that
couldn't be made (-) aren't counted. The rules were tuned on these same outputs, so the shares show that nothing known is broken, not
how well unseen outputs are judged.

What only assay itself sees, such as kernel counters around a repeat, is covered by *captured runs*: short runs with one deliberate
fault, stored as ` + "`assay export --anonymise`" + ` writes them and audited as ` + "`assay show`" + ` shows them. [runs/README.md](runs/README.md)
describes what was done in each; scripts/capture makes all but one again.

There are %d cases from %d files, %d of which hold captured runs. The names of %d files say that they were written by hand or from a
tool's source; the README beside the others says where they are from. If it gives the command line, the case may include it. %d cases
check real figures against the facts of a supposed machine, so that more rules apply. Outputs that only describe a machine (lspci,
ethtool, ceph …), and those in which a tool failed, are cases in which no rule should fire.

Measuring tools whose output was read, with versions where the output states them:

%s
`

// fuzzed is the page's section on fuzzing its readers.
const fuzzed = `
## Fuzzing

On 25 November 2026 the readers of pasted outputs were fuzzed on one of two busy CPUs, 19.3 million executions in all. scripts/fuzz runs
the targets again. Every fault found is fixed and has a seed in testdata.

| target | executions | minutes | found |
| --- | ---: | ---: | --- |
| ingest/pasted FuzzParse, all its readers | 4,376,937 | 10 | – |
| ingest/pasted FuzzASSSD | 3,878,750 | 10 | – |
| ingest/pasted FuzzElbencho | 2,866,275 | 10 | – |
| ingest/pasted FuzzIOzone | 1,166,128 | 5 | – |
| ingest/pasted FuzzVdbench | 227,944 | 5 | – |
| ingest/pasted FuzzBonnie | 21,859 | 5 | – |
| ingest/table FuzzParse | 1,092,377 | 6 | lines beyond the end of a table in YAML with carriage returns |
| ingest FuzzRead, which splits a text | 1,771,115 | 10 | – |
| probe/smart FuzzParse | 2,663,145 | 10 | – |
| probe/sysbench FuzzParse | 1,202,572 | 10 | – |

On 26 November 2026, after the changes for the second set, nine targets ran for half a minute each on one busy CPU, 1,086,432 executions
in all: ingest/pasted FuzzParse and FuzzIOzone, ingest FuzzRead, and FuzzParse of probe/fio, probe/warp, probe/sysbench,
ingest/facts/ethtool, ingest/facts/ceph and ingest/facts/lspci. They found nothing.

Later that day, on one worker that ran only when two busy CPUs were idle:

| target | executions | minutes | found |
| --- | ---: | ---: | --- |
| probe/sysbench FuzzParse | 178,167 | 5 | – |
| ingest/pasted FuzzBonnie | 116,057 | 5 | – |
| probe/smart FuzzParse | 121,539 | 5 | – |
| probe/iperf2 FuzzParse | 788,297 | 4 | – |
| ingest/pasted FuzzASSSD | 1,226,113 | 5 | – |
| ingest/pasted FuzzParse, after it was mended | 963,736 | 5 | – |
| ingest FuzzRead | not counted | 2 | text after a JSON document on its last line was counted as a line |
| ingest/pasted FuzzParse | not counted | 0.3 | the target itself didn't know indented beginnings, and read its own seeds as captures |
| probe/dd FuzzParse | not counted | 3 | a worker waited too long for a CPU; its input passes |

That evening, 50 targets ran without coverage guidance (GUIDED=no scripts/fuzz), starting from what guided runs had found. This gives
several times as many executions. They ran in idle time of two CPUs at first, then with all of their time: 88 million executions, which
brings the total above 10⁸.

| target | executions | found |
| --- | ---: | --- |
| ingest/facts/free FuzzParse | 12,834,687 | – |
| ingest/userfacts FuzzSet | 5,937,408 | – |
| probe/fio/jobfile FuzzRead | 5,839,100 | – |
| ingest/pasted FuzzParse | 4,377,752 | a Vdbench row at 76 o'clock, which begins with an unlisted byte |
| probe/rbd FuzzParse | 4,373,669 | operations without bytes were read as 0 B/s |
| probe/warp FuzzParse | 4,199,383 | "1..39 obj/s" was read as 0 |
| inventory/survey FuzzParse | 4,086,702 | – |
| inventory/beneath FuzzGuests | 3,644,201 | – |
| ingest/facts/ceph FuzzParse | 3,311,295 | – |
| ingest/pasted FuzzASSSD | 3,052,753 | – |
| ingest/table FuzzParse | 2,872,018 | – |
| probe/thermal FuzzParse | 2,748,586 | – |
| migration FuzzReadReport | 2,571,489 | – |
| inventory FuzzParse | 2,251,402 | – |
| ceph FuzzReadInterfaces | 2,108,065 | – |
| ingest/facts/drbd FuzzParse | 2,073,512 | – |
| ingest/pasted FuzzIOzone | 2,042,309 | – |
| ingest/facts/dmidecode FuzzParse | 1,932,533 | – |
| incident/read FuzzRead | 1,827,177 | – |
| probe/sysbench FuzzParse | 1,320,733 | – |
| probe/iperf3 FuzzParse | 1,235,988 | – |
| ceph FuzzRead | 1,169,731 | – |
| probe/rados FuzzParse | 1,028,020 | – |
| probe/iperf2 FuzzParse | 1,011,429 | – |
| 26 others, of tools, facts and files | 9,668,365 | an empty "cache=" of a Proxmox disk was no mode at all |
`

// toolsAndVersions returns a list, one line per tool.
func toolsAndVersions(names map[string]bool) string {
	versions := map[string][]string{}
	for name := range names {
		tool, version, _ := strings.Cut(name, " ")
		if version = strings.TrimPrefix(version, tool+"-"); tool != "" && !slices.Contains(versions[tool], version) {
			versions[tool] = append(versions[tool], version)
		}
	}
	var b strings.Builder
	for _, tool := range slices.Sorted(maps.Keys(versions)) {
		all := slices.DeleteFunc(versions[tool], func(v string) bool { return v == "" })
		slices.SortFunc(all, compareVersions)
		b.WriteString("- " + strings.TrimSpace(tool+" "+strings.Join(all, ", ")) + "\n")
	}
	return b.String()
}

// compareVersions orders 3.9 before 3.12.
func compareVersions(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		if len(as[i]) != len(bs[i]) {
			return len(as[i]) - len(bs[i])
		}
		if as[i] != bs[i] {
			return strings.Compare(as[i], bs[i])
		}
	}
	return len(as) - len(bs)
}

// byHand reports whether a file's name says that no tool printed it.
func byHand(name string) bool {
	base := filepath.Base(name)
	return strings.Contains(base, "byhand") || strings.Contains(base, "handmade") || strings.Contains(base, "from-source")
}

func has(verdicts []string, rule string) bool {
	return slices.ContainsFunc(verdicts, func(v string) bool { return strings.HasSuffix(v, " "+rule) })
}

// outOf returns a count of cases, and how many of them have only supposed
// facts.
func outOf(n, supposed int) string {
	if supposed == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d (%d supposed)", n, supposed)
}

func share(n, of int) string { return fmt.Sprintf("%d of %d", n, of) }
