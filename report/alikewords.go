package report

import (
	"fmt"
	"strings"

	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// noneStandsOutWords says how far the hosts are alike.
func noneStandsOutWords(n analysis.NoneStandsOut) string {
	rows := prose.Plural(n.Rows, "row")
	switch n.Alike {
	case n.Rows:
		return fmt.Sprintf("No host stands out: in %s shared by three or more hosts, all are %s.", rows, nearWords(n.Near))
	case 0:
		return fmt.Sprintf("No host is a clear outlier, but in %s shared by three or more hosts they differ by more than 15 %% from the median.", rows)
	}
	return fmt.Sprintf("No host stands out: in %d of %s shared by three or more hosts, all are %s; the rest show no clear outlier.", n.Alike, rows, nearWords(n.Near))
}

// twoHostsWords says where two hosts differ most.
func twoHostsWords(t analysis.TwoHosts) string {
	const third = "Only a third host would tell which is as it should be."
	rows := prose.Plural(t.Rows, "row")
	switch m := t.Most; {
	case m == nil && t.Alike == t.Rows:
		return fmt.Sprintf("%s and %s are alike in %s, within 15 %% or too little to matter.", t.Hosts[0], t.Hosts[1], rows)
	case m == nil:
		return fmt.Sprintf("%s and %s are alike in %d of %s, and clearly differ in none: the rest vary too much to tell.", t.Hosts[0], t.Hosts[1], t.Alike, rows)
	case m.Network != "":
		return fmt.Sprintf("%s and %s differ most in %s on %s: %s from %s, %s back (%s ×). %s", t.Hosts[0], t.Hosts[1], m.Title, m.Network,
			quantity.Of(m.Metric, m.Values[0]), t.Hosts[0], quantity.Of(m.Metric, m.Values[1]), quantity.Two(m.Ratio), third)
	default:
		return fmt.Sprintf("%s and %s differ most in %s: %s and %s (%s ×). %s", t.Hosts[0], t.Hosts[1], m.Title,
			quantity.Of(m.Metric, m.Values[0]), quantity.Of(m.Metric, m.Values[1]), quantity.Two(m.Ratio), third)
	}
}

// nearWords says how near figures are to the median.
func nearWords(near []analysis.Near) string {
	text := "within 15 % of the median"
	if len(near) == 0 {
		return text
	}
	var or []string
	for _, n := range near {
		amount, unit, _ := strings.Cut(quantity.Of(n.Metric, n.Within), " ")
		or = append(or, fmt.Sprintf("%s %s (%s)", strings.TrimSuffix(amount, ".0"), unit, map[string]string{"thermal.rise": "temperatures", "net.rtt.median": "round trips"}[n.Metric]))
	}
	return text + ", or within " + prose.Or(or) + " of it"
}
