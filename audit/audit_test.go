package audit

import (
	"os"
	"slices"
	"strings"
	"testing"

	"assay"
)

// A rule that cries wolf on a well-run test is worse than no rule.
func TestAWellRunMachineIsSilent(t *testing.T) {
	for _, f := range Audit(good().evidence()) {
		t.Errorf("%s %s %s: %s | %s | %s", f.Severity, f.Rule, f.Subject, f.Arithmetic, f.Message, f.Missing)
	}
}

// helpers are the files without rules.
var helpers = []string{
	"audit.go", "ceiling.go", "commands.go", "compare.go", "device_printed.go", "doc.go", "evidence.go", "foreign.go", "ground.go", "labels.go",
	"carrier.go", "network.go", "object.go", "order.go", "pool.go", "replication.go", "soak.go", "warming.go", "words.go",
}

func TestEveryRuleIsOnTheList(t *testing.T) {
	ids, numbers := map[string]bool{}, map[int]bool{}
	var files []string
	for i, r := range Rules() {
		if ids[r.ID] || numbers[r.Number] {
			t.Errorf("%s (%d) is on the list twice", r.ID, r.Number)
		}
		ids[r.ID], numbers[r.Number] = true, true
		if i > 0 && Rules()[i-1].Number >= r.Number {
			t.Errorf("%s is not in order", r.ID)
		}
		if r.ID == "" || r.Number == 0 || r.Applies == "" || r.Title == "" || r.Formula == "" || r.Source == "" || r.Example == "" || r.Check == nil {
			t.Errorf("%s: every field of a rule must be filled in", r.ID)
		}
		if r.Severities == "" || strings.Trim(r.Severities, "EWI ") != "" {
			t.Errorf("%s: severities %q", r.ID, r.Severities)
		}
		files = append(files, strings.ReplaceAll(r.ID, "-", "_")+".go")
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || slices.Contains(helpers, name) || strings.HasPrefix(name, "tolerances") {
			continue
		}
		if i := slices.Index(files, name); i >= 0 {
			files = slices.Delete(files, i, i+1)
		} else {
			t.Errorf("%s holds no rule on the list and is no helper", name)
		}
	}
	if len(files) > 0 {
		t.Errorf("rules without a file of their name: %v", files)
	}
}

func TestFindingsAreSorted(t *testing.T) {
	w := good()
	w.facts.CPU.Governor = ""
	w.label("dd-write", "cache", "")
	w.set("smart", "smart.media_errors", 519)
	w.set("dd-write", "tool.duration", .5)
	w.label("dd-write", "source", "zero")
	w.set("cpu", "tool.duration", 4)
	var got []assay.Severity
	for _, f := range Audit(w.evidence()) {
		got = append(got, f.Severity)
	}
	want := []assay.Severity{assay.Rejects, assay.Rejects, assay.Warns, assay.Informs, assay.NotChecked}
	if !slices.Equal(got, want) {
		t.Errorf("severities %v, want %v", got, want)
	}
}

func TestNotCheckedIsSaidOnceASubject(t *testing.T) {
	w := good()
	w.facts = assay.Facts{}
	seen := map[[2]string]bool{}
	for _, f := range Audit(w.evidence()) {
		if f.Severity != assay.NotChecked {
			continue
		}
		key := [2]string{f.Rule, f.Subject}
		if seen[key] {
			t.Errorf("%s says twice what it misses for %s", f.Rule, f.Subject)
		}
		seen[key] = true
		if f.Missing == "" || f.Advice == "" || f.Subject == "" {
			t.Errorf("%s: %+v names no fact, or nothing that would give it", f.Rule, f)
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d rules miss anything on an unknown machine", len(seen))
	}
}

func TestWhatDoesNotCountIsNotJudged(t *testing.T) {
	w := good()
	for i := range w.results {
		for j := range w.results[i].Repeats {
			w.results[i].Repeats[j].N = 0 // a warm-up
		}
	}
	if found := Audit(w.evidence()); len(found) > 0 {
		t.Errorf("warm-ups were judged: %+v", found[0])
	}
}

func TestOfTakesARun(t *testing.T) {
	w := good()
	e := w.evidence()
	got := Of(assay.Run{Inventory: e.Inventory, Results: e.Results})
	if len(got.Results) != len(e.Results) || len(got.Inventory.Facts) != 1 {
		t.Errorf("Of lost evidence: %d results", len(got.Results))
	}
}
