package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"assay"
	"assay/audit"
	"assay/internal/nearest"
	"assay/report/block"
)

func (a *app) rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "rules [RULE]",
		Short:   "List the audit rules, or explain one",
		Example: "  assay rules\n  assay rules pcie-ceiling\n  assay rules 20",
		Args:    exactly(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listRules()
			}
			for _, r := range audit.Rules() {
				if r.ID == args[0] || strconv.Itoa(r.Number) == args[0] {
					return a.explainRule(r)
				}
			}
			hint := nearest.Hint(args[0], ruleIDs())
			if hint == "" {
				hint = "list them with: assay rules"
			}
			return usage(assay.WithHint(hint, "unknown rule %q", args[0]))
		},
	}
}

func ruleIDs() []string {
	var ids []string
	for _, r := range audit.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

// ruleLine is the JSON form of a rule.
type ruleLine struct {
	Rule       string `json:"rule"`
	Number     int    `json:"number"`
	Severities string `json:"severities"`
	Applies    string `json:"applies"`
	Title      string `json:"title"`
	Formula    string `json:"formula"`
	Source     string `json:"source"`
	Example    string `json:"example"`
}

func lineOf(r audit.Rule) ruleLine {
	return ruleLine{r.ID, r.Number, r.Severities, r.Applies, r.Title, r.Formula, r.Source, r.Example}
}

func (a *app) listRules() error {
	var lines []ruleLine
	var rows [][]string
	for _, r := range audit.Rules() {
		lines = append(lines, lineOf(r))
		rows = append(rows, []string{strconv.Itoa(r.Number), r.ID, r.Severities, r.Applies, r.Title})
	}
	return a.show(block.Document{
		Name: "Audit rules", Data: map[string]any{"rules": lines},
		Blocks: block.Blocks{block.Texts([]string{"no.", "rule", "severity", "applies to", "fires when"}, rows)},
	})
}

func (a *app) explainRule(r audit.Rule) error {
	header := []string{"rule", fmt.Sprintf("%s (no. %d)", r.ID, r.Number)}
	rows := [][]string{
		{"fires when", r.Title}, {"applies to", r.Applies}, {"severity", r.Severities},
		{"formula", r.Formula}, {"source", r.Source}, {"example", r.Example},
	}
	return a.show(block.Document{Name: "Rule " + r.ID, Data: lineOf(r), Blocks: block.Blocks{block.Texts(header, rows)}})
}
