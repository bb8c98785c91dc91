package report

import (
	"fmt"
	"slices"
	"strings"

	"assay/analysis"
	"assay/analysis/hypotheses"
	"assay/internal/lazyregexp"
	"assay/internal/prose"
)

// Diagnosis is one fault: where it is, what it slows, the evidence for it, and what to
// do.
type Diagnosis struct {
	Host     string            `json:"host"`               // or the sender
	Peer     string            `json:"peer,omitempty"`     // the receiver, where a path is at fault
	Layer    string            `json:"layer"`              // id of the section, or system
	Networks []string          `json:"networks,omitempty"` // on which it shows
	Ways     analysis.Ways     `json:"ways,omitempty"`     // of them
	Effects  []analysis.Effect `json:"effects"`            // figures that stand out for it
	Signs    []analysis.Sign   `json:"signs"`              // lost packets and smaller path MTUs for it
	// Cause is the fault's id; "" if nothing explains the effects.
	Cause       string               `json:"cause,omitempty"`
	Certainty   hypotheses.Certainty `json:"certainty,omitempty"`
	Probability float64              `json:"probability,omitempty"` // of the cause, against all others
	Evidence    []string             `json:"evidence"`              // what shows it besides the figures
	Rivals      []Rival              `json:"rivals"`                // causes that remain beside it
	RuledOut    []Ruled              `json:"ruled_out"`             // causes that a fact speaks against
	Decides     string               `json:"decides,omitempty"`     // the measurement that would tell, where rivals remain
	Remedy      string               `json:"remedy"`
	Text        string               `json:"text"` // a sentence or two
}

// Rival is another cause that remains possible besides the likeliest.
type Rival struct {
	Cause       string  `json:"cause"`
	Name        string  `json:"name"`
	Probability float64 `json:"probability"`
}

// Ruled is a cause that a fact rules out.
type Ruled struct {
	Cause string `json:"cause"`
	Name  string `json:"name"`
	Why   string `json:"why"` // what the host has instead
}

// diagnosesOf returns the faults that were found, in the verdict's words.
func diagnosesOf(found analysis.Found) []Diagnosis {
	var all []Diagnosis
	for _, o := range found.Outliers {
		if !o.Better {
			all = append(all, diagnosisOf(o))
		}
	}
	return all
}

func diagnosisOf(o analysis.Outlier) Diagnosis {
	d := Diagnosis{
		Host: o.Host, Peer: o.Peer, Layer: o.Section, Networks: o.Networks, Ways: o.Ways, Effects: o.Effects, Signs: o.Signs,
		Remedy: advice(o), Text: sentence(o),
	}
	if o.Why == nil {
		return d
	}
	d.Probability, d.Evidence = o.Why.Probability, o.Why.Evidence
	if o.Why.Known() {
		d.Cause, d.Certainty = o.Why.ID, o.Why.Certainty
	}
	for _, r := range o.Why.Rivals {
		d.Rivals = append(d.Rivals, Rival{Cause: r.ID, Name: r.Name, Probability: r.Probability})
	}
	for _, r := range o.Why.RuledOut {
		d.RuledOut = append(d.RuledOut, Ruled{Cause: r.ID, Name: r.Name, Why: r.Why})
	}
	if len(d.Rivals) > 0 {
		d.Decides = decides(o.Why)
	}
	return d
}

// causeWords returns what explains an outlier, and how certain that is: "Certain: its
// link is 1 Gb/s, theirs 10 Gb/s".
func causeWords(o analysis.Outlier) string {
	c := o.Why
	if o.Racks {
		return "Its hosts are slow as a group, not individually: suspect " + sharedWords(o)
	}
	if c == nil || !c.Known() {
		return "Its hardware facts don't explain it" + left(c)
	}
	switch c.Certainty {
	case hypotheses.Undecided:
		return fmt.Sprintf("Undecided: its hardware facts don't explain it, it may be %s", prose.Or(names(c))) + toDecide(c)
	case hypotheses.Possible:
		return prose.Sentence(string(c.Certainty)) + ": " + because(o) + rivals(c)
	}
	return prose.Sentence(string(c.Certainty)) + ": " + because(o)
}

// sharedWords names what the hosts of a rack, or of two racks, share.
func sharedWords(o analysis.Outlier) string {
	if o.Peer != "" || o.Ways != analysis.BothOfHost {
		return "the uplink that they share"
	}
	return "the switch or uplink that they share"
}

// because returns the evidence, or the name of the fault if there is none.
func because(o analysis.Outlier) string {
	said := signsWords(o)
	unnamed := len(o.Why.Evidence) == 0 || len(o.Why.Tested) > 0 // test results do not name the fault
	named := len(said)+len(o.Why.Evidence) == 0 || unnamed && o.Why.Certainty != hypotheses.Certain
	switch {
	case named && len(said) > 0 && lossName.MatchString(o.Why.Name):
		said = []string{o.Why.Name + " (" + strings.Join(lossCounts(o), "; ") + ")"}
	case named:
		said = append([]string{o.Why.Name}, said...)
	}
	said = append(said, o.Why.Evidence...)
	return strings.Join(said, "; ")
}

// signsWords returns what goes wrong on the paths of a host that is also slow.
func signsWords(o analysis.Outlier) []string {
	if len(o.Effects) == 0 {
		return nil // the sentence itself says so
	}
	var all []string
	for _, s := range o.Signs {
		all = append(all, signCause(s))
	}
	return all
}

// lossName matches the name of a fault that loses packets, which need not be
// mentioned twice.
var lossName = lazyregexp.New(`(drop|lose)s .*packets`)

// lossCounts is how many packets are lost on the paths of a host that is slow as well.
func lossCounts(o analysis.Outlier) []string {
	var all []string
	for _, s := range o.Signs {
		if s.Metric == "net.path_mtu" || s.Metric == "net.tcp.mss" || s.Metric == "net.rtt.stddev" {
			all = append(all, signCause(s))
		} else {
			all = append(all, lossCount(s))
		}
	}
	return all
}

// names are the names of a cause and of those that remain beside it.
func names(c *hypotheses.Cause) []string {
	var all []string
	if c.Known() {
		all = append(all, c.Name)
	}
	for _, r := range c.Rivals {
		all = append(all, r.Name)
	}
	return all
}

// left says what may be behind an effect that nothing explains.
func left(c *hypotheses.Cause) string {
	if c == nil || len(c.Rivals) == 0 {
		return ""
	}
	return "; it may be " + prose.Or(names(c)) + toDecide(c)
}

func rivals(c *hypotheses.Cause) string {
	if len(c.Rivals) == 0 {
		return ""
	}
	var all []string
	for _, r := range c.Rivals {
		all = append(all, r.Name)
	}
	return ", or else " + prose.Or(all) + toDecide(c)
}

func toDecide(c *hypotheses.Cause) string {
	if by := decides(c); by != "" {
		return ". To decide: " + by
	}
	return ""
}

// decides is the measurement that tells the likeliest from the others; "" where the run
// has made it.
func decides(c *hypotheses.Cause) string {
	of := c.Hypothesis
	if !c.Known() && len(c.Rivals) > 0 {
		of = c.Rivals[0].Hypothesis
	}
	if slices.ContainsFunc(of.Clues, func(clue hypotheses.Clue) bool { return slices.Contains(c.Tested, clue.Test) }) {
		return ""
	}
	return of.Decides
}
