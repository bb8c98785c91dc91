package markdown

import "assay/report"

// away lists the hosts that could not be asked or were lost.
func (p *page) away(hosts []report.Away) {
	if len(hosts) == 0 {
		return
	}
	p.block("## Hosts that were away")
	var rows [][]string
	for _, a := range hosts {
		rows = append(rows, []string{escape(a.Host), escape(a.When() + ": " + a.Absent.Why), escape(a.Cost()), escape(a.Absent.Hint)})
	}
	p.table([]string{"host", "why", "so", "hint"}, []bool{false, false, false, false}, rows)
}
