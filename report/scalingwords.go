package report

import (
	"fmt"

	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// Scaling says in words how a total grows with the hosts that measure at once.
type Scaling struct {
	analysis.Scaling
	Text string `json:"text"` // the verdict, as a sentence without its end
}

func scalingsOf(curves []analysis.ScalingCurve) []Scaling {
	var out []Scaling
	for _, c := range curves {
		out = append(out, Scaling{Scaling: c.Scaling, Text: growthWords(c)})
	}
	return out
}

// growthWords says where the total stops growing, or what is unknown.
func growthWords(c analysis.ScalingCurve) string {
	name, g := c.Tier+": "+c.Title, c.Growth
	switch {
	case g.Last == 0:
		return name + ": can't tell whether it scales" + unusable(c.Scaling)
	case g.StopsAt > 0:
		text := fmt.Sprintf("%s stops growing at %s: %s in total", name, prose.Plural(g.StopsAt, "host"), total(c, g.StopsAt))
		if g.Falls {
			text += fmt.Sprintf(", and falls to %s with %d", total(c, g.Last), g.Last)
		}
		return text
	case g.To > 0:
		text := fmt.Sprintf("%s reaches %s in total with %s; ", name, total(c, g.Last), prose.Plural(g.Last, "host"))
		if g.Repeats[0] > 0 {
			return text + fmt.Sprintf("%d and %d repeats are too few to tell whether %s do more than %d", g.Repeats[0], g.Repeats[1], prose.Plural(g.To, "host"), g.From)
		}
		return text + fmt.Sprintf("can't tell whether %s do more than %d: the repeats vary too much", prose.Plural(g.To, "host"), g.From)
	}
	text := fmt.Sprintf("%s still grows at %s: %s in total", name, prose.Plural(g.Last, "host"), total(c, g.Last))
	if share := shareOfAlone(pointAt(c, g.Last)); share != "" {
		text += fmt.Sprintf(", %s of what they reach one at a time", share)
	}
	return text
}

// unusable says for which numbers of hosts no total is believed.
func unusable(s analysis.Scaling) string {
	var rejected, none []string
	for _, p := range s.Points {
		switch {
		case p.Figure == nil:
			none = append(none, prose.Plural(p.Hosts, "host"))
		case p.Figure.Rejected:
			rejected = append(rejected, prose.Plural(p.Hosts, "host"))
		}
	}
	text := ""
	switch len(rejected) {
	case 0:
	case 1:
		text = ": the total of " + rejected[0] + " is rejected"
	default:
		text = ": the totals of " + prose.And(rejected) + " are rejected"
	}
	if len(none) > 0 {
		text += ", none for " + prose.And(none)
	}
	return text
}

func pointAt(c analysis.ScalingCurve, hosts int) analysis.ScalingPoint {
	for _, p := range c.Points {
		if p.Hosts == hosts {
			return p
		}
	}
	return analysis.ScalingPoint{}
}

func total(c analysis.ScalingCurve, hosts int) string {
	if f := pointAt(c, hosts).Figure; f != nil {
		return quantity.Of(c.Metric, f.Value)
	}
	return "unknown"
}

// shareOfAlone formats a point's efficiency: "98 %", or "" if unknown.
func shareOfAlone(p analysis.ScalingPoint) string {
	if p.Efficiency == 0 {
		return ""
	}
	return quantity.Two(100*p.Efficiency) + " %"
}

// shareInterval formats the interval of the efficiency: "[97 %, 99 %]", or "" if
// unknown.
func shareInterval(p analysis.ScalingPoint) string {
	if p.Efficiency == 0 || p.Low == p.High {
		return ""
	}
	return "[" + quantity.Two(100*p.Low) + " %, " + quantity.Two(100*p.High) + " %]"
}

// curveName names a curve: "longhorn: 4 KiB random write, IOPS".
func curveName(s Scaling) string {
	name := s.Tier + ": " + s.Title
	if heading := quantity.Heading(s.Label, s.Metric); heading != "" {
		name += ", " + heading
	}
	return name
}
