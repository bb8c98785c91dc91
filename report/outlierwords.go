package report

import (
	"fmt"
	"strings"

	"assay/analysis"
	"assay/analysis/hypotheses"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// Outlier is a host, or a path between two, that stands out, in words.
type Outlier struct {
	analysis.Standout
	Cause string `json:"cause,omitempty"` // in words; "" where nothing explains it, or too much would
	Text  string `json:"text"`            // a sentence
	Next  string `json:"next,omitempty"`  // what to do, with what that rests on
}

// Side is several hosts side by side, and which of them stand out.
type Side struct {
	analysis.Side
	Outliers []Outlier `json:"outliers"` // the worse ones first, then by how far off
}

// sideOf returns the hosts side by side, with those that stand out in words.
func sideOf(found analysis.Found) *Side {
	if found.Side == nil {
		return nil
	}
	s := &Side{Side: *found.Side}
	for _, o := range found.Outliers {
		s.Outliers = append(s.Outliers, Outlier{Standout: o.Standout, Cause: outlierCause(o), Text: sentence(o), Next: advice(o)})
	}
	return s
}

// outlierCause returns the cause in words, if one is believed.
func outlierCause(o analysis.Outlier) string {
	if o.Why == nil || !o.Why.Known() || o.Why.Certainty == hypotheses.Undecided {
		return ""
	}
	return because(o)
}

// sentence says who is odd, by how much, and why.
func sentence(o analysis.Outlier) string {
	switch w := o.Worst; {
	case o.Better && w.Metric == "thermal.rise":
		return fmt.Sprintf("%s heats up by only %s.", o.Host, heatedWords(w, " under load"))
	case o.Better:
		return fmt.Sprintf("%s is %s × faster %s.", outlierName(o), times(o), where(o))
	case len(o.Effects) == 0 && len(o.Signs) > 0:
		return strings.TrimSuffix(signText(o.Signs[0]), ".") + ". " + causeWords(o) + "."
	case len(o.Effects) == 0 && o.Why != nil:
		return standingWords(o)
	case w.Metric == "thermal.rise":
		return fmt.Sprintf("%s heats up by %s. %s.", o.Host, heatedWords(w, " under load"), causeWords(o))
	case o.Likely:
		return fmt.Sprintf("%s is very likely %s × slower %s%s, although the repeats vary too much for an exact figure. %s.", outlierName(o), times(o), where(o), alsoHeats(o), causeWords(o))
	}
	return fmt.Sprintf("%s is %s × slower %s. %s.", outlierName(o), times(o), where(o)+alsoHeats(o), causeWords(o))
}

// heatedWords says how far a host heats up, when, and how far the others do.
func heatedWords(w analysis.Apart, when string) string {
	return fmt.Sprintf("%s%s, the others by %s%s", quantity.Of(w.Metric, w.Own), when, span(w), once(w))
}

// alsoHeats says how far a slow host heats up, if that stands out too.
func alsoHeats(o analysis.Outlier) string {
	if o.Heat == nil {
		return ""
	}
	return ", and heats up by " + heatedWords(*o.Heat, "")
}

// standingWords describes a fault that a fact shows although it slows no figure.
func standingWords(o analysis.Outlier) string {
	text := because(o)
	if own, is := strings.CutPrefix(text, "its "); is {
		return o.Host + "'s " + own + "."
	}
	if own, is := strings.CutPrefix(text, "it "); is {
		return o.Host + " " + own + "."
	}
	return prose.Sentence(text) + "."
}

// advice says what to do next. It names the figures it rests on.
func advice(o analysis.Outlier) string {
	w := o.Worst
	text := "Check what differs on {host} (see assay hosts)"
	switch {
	case o.Racks && o.Peer != "":
		text = "Check the ports, cables and load of the uplink between {host} and {peer} on {network}: many hosts share it"
	case o.Racks:
		text = "Check the switch of {host} and its uplink on {network}: ports, cables, load"
	case o.Why != nil && o.Why.Known() && o.Why.Certainty == hypotheses.Undecided:
		name := strings.Replace(outlierName(o), "The path", "the path", 1)
		text = "Find out why " + name + " is slow before you replace anything"
		if by := decides(o.Why); by != "" {
			text += ": " + by
		}
	case o.Why != nil:
		text = o.Why.Remedy
	}
	text = strings.NewReplacer("{host}", o.Host, "{peer}", o.Peer, "{network}", prose.And(o.Networks)).Replace(text)
	if len(o.Effects) == 0 {
		return text + "."
	}
	if w.Metric == "thermal.rise" {
		return fmt.Sprintf("%s: under the same load it heats up by %s.", text, heatedWords(w, ""))
	}
	return fmt.Sprintf("%s (it has %s, the others %s).", text, quantity.Of(w.Metric, w.Own), span(w)+once(w))
}

// once says that figures are single readings, if they are.
func once(w analysis.Apart) string {
	if w.Once {
		return ", one reading each"
	}
	return ""
}

// span formats the range of the others, as one value if its ends are equal.
func span(w analysis.Apart) string {
	a, b := quantity.Of(w.Metric, w.From), quantity.Of(w.Metric, w.To)
	number, unit, _ := strings.Cut(a, " ")
	if a != b && strings.HasSuffix(b, " "+unit) {
		a = number // show the unit once
	}
	return fromTo(a, b)
}

func outlierName(o analysis.Outlier) string {
	switch {
	case o.Peer == "":
		return o.Host
	case o.Ways == analysis.OneOfPath:
		return "The path from " + o.Host + " to " + o.Peer
	}
	return "The path between " + o.Host + " and " + o.Peer
}

func times(o analysis.Outlier) string {
	return fromTo(quantity.Two(o.Least), quantity.Two(o.Greatest))
}

// waysOfRack says which paths of a rack stand out.
var waysOfRack = map[analysis.Ways]string{
	analysis.BothOfHost: "to, from and among its hosts ", analysis.FromHost: "from its hosts to other racks ", analysis.ToHost: "from other racks to its hosts ",
}

// waysOfHost says which paths of a host stand out.
var waysOfHost = map[analysis.Ways]string{
	analysis.BothOfHost: "to and from every host ", analysis.FromHost: "to every host ", analysis.ToHost: "from every host ",
}

// where says in which figures the outlier stands out, with the worst ones.
func where(o analysis.Outlier) string {
	w := o.Worst
	figures := fmt.Sprintf("(%s vs %s%s)", quantity.Of(w.Metric, w.Own), span(w), once(w))
	switch n := len(o.Rows); {
	case o.Racks && o.Peer == "":
		return waysOfRack[o.Ways] + "on " + prose.And(o.Networks) + " " + figures
	case o.Section == "network":
		return waysOfHost[o.Ways] + "on " + prose.And(o.Networks) + " " + figures
	case n > 1 && w.Title == "":
		return fmt.Sprintf("in %d rows, most on %s %s", n, prose.And(o.Networks), figures)
	case n > 1:
		return fmt.Sprintf("in %d rows, most in %s %s", n, w.Title, figures)
	}
	return "in " + w.Title + " " + figures
}
