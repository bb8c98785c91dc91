package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/audit"
	"assay/ingest"
	"assay/internal/nearest"
	"assay/internal/quantity"
	"assay/report"
	"assay/report/block"
)

// explain shows what one rule found at one line: the figures, the arithmetic, the
// rule with its source, and the facts that it was given.
func (a *app) explain(all ingest.Reading, run assay.Run, word string) error {
	id, at, _ := strings.Cut(word, "@")
	line, err := strconv.Atoi(at)
	if err != nil || line < 1 {
		return usage(assay.WithHint("give a rule and a line number from the report, for example: --explain little@41", "%q is not RULE@LINE", word))
	}
	i := slices.IndexFunc(audit.Rules(), func(r audit.Rule) bool { return r.ID == id })
	if i < 0 {
		hint := nearest.Hint(id, ruleIDs())
		if hint == "" {
			hint = "list them with: assay rules"
		}
		return usage(assay.WithHint(hint, "unknown rule %q", id))
	}
	rule := audit.Rules()[i]
	items := map[string]ingest.Item{}
	for _, it := range all.Items {
		items[it.Trial.ID] = it
	}
	d := block.Document{Name: "Rule " + rule.ID}
	var found []assay.Finding
	var places []string
	for _, f := range run.Findings {
		it, known := items[f.Subject]
		if f.Rule != id || !known {
			continue
		}
		places = append(places, strconv.Itoa(it.Line))
		if !standsOn(it, line) {
			continue
		}
		found = append(found, f)
		rows := [][]string{
			{"severity", string(f.Severity)}, {"arithmetic", f.Arithmetic}, {"means", f.Message}, {"next", f.Advice}, {"missing", f.Missing},
		}
		rows = slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" })
		for _, rep := range it.Repeats {
			for _, m := range rep.Measurements {
				if slices.Contains(f.Metrics, m.Metric) {
					rows = append(rows, []string{"line " + strconv.Itoa(m.Line), m.Metric + " " + quantity.Of(m.Metric, m.Value)})
				}
			}
		}
		d.Add(block.Texts([]string{"output", f.Subject}, rows))
	}
	if len(found) == 0 {
		hint := "this rule found nothing: assay audit FILE shows what was found"
		if len(places) > 0 {
			hint = "it found something at line " + strings.Join(slices.Compact(places), ", ")
		}
		return usage(assay.WithHint(hint, "%s found nothing at line %d", id, line))
	}
	d.Data = map[string]any{"rule": lineOf(rule), "findings": found}
	d.Add(block.Texts([]string{"rule", fmt.Sprintf("%s (no. %d)", rule.ID, rule.Number)}, [][]string{
		{"fires when", rule.Title}, {"formula", rule.Formula}, {"source", rule.Source}, {"example", rule.Example},
		{"how often it is right", "see doc/audit.md, which scores each rule on all captured outputs"},
	}))
	if known := report.BuildReading(report.Read{Known: run.Inventory.Facts}).Known; len(known) > 0 {
		d.Add(block.Heading{Level: 1, Text: "Facts it was told"}, report.FactValues(known))
	}
	return a.show(d)
}

// standsOn reports whether an output begins on a line, or has a figure on it.
func standsOn(it ingest.Item, line int) bool {
	if it.Line == line {
		return true
	}
	for _, rep := range it.Repeats {
		for _, m := range rep.Measurements {
			if m.Line == line {
				return true
			}
		}
	}
	return false
}
