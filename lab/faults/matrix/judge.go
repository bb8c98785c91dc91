package matrix

import (
	"regexp"
	"slices"
	"strings"

	"assay/report"
)

// Ruling is the score of one statement in a report.
type Ruling string

// The rulings. Undecided is when the report says so: it names the culprit without
// a cause or direction.
const (
	Right     Ruling = "right"
	Wrong     Ruling = "wrong"
	Undecided Ruling = "undecided"
	Missed    Ruling = "missed" // the culprit is not named
	NotAsked  Ruling = ""       // not applicable: a fault without a direction
)

// Found is the score of a report on one fault.
type Found struct {
	Placed
	Culprit   Ruling // Right or Missed
	Direction Ruling
	Cause     Ruling
}

// Outcome is the score of a report on a case.
type Outcome struct {
	Case
	Found    []Found
	Innocent []string // accused hosts that have no fault
	Verdict  []string // its sentences, each prefixed with its kind
}

// Judge scores the verdict of a report against what was planted.
func Judge(kinds []Kind, c Case, d report.Document) Outcome {
	o := Outcome{Case: c}
	var all []accusation
	for _, s := range d.Verdict {
		o.Verdict = append(o.Verdict, s.Kind+": "+s.Text)
		if a, is := accuses(s); is {
			all = append(all, a)
		}
	}
	var guilty []string
	for _, p := range c.Faults {
		k, _ := Named(kinds, p.Kind)
		guilty = append(guilty, p.Host)
		if p.Peer != "" && (k.OrPeer || k.Of == "path") {
			guilty = append(guilty, p.Peer)
		}
		o.Found = append(o.Found, find(k, p, all))
	}
	for _, a := range all {
		if a.path && slices.ContainsFunc(a.hosts, func(h string) bool { return slices.Contains(guilty, h) }) {
			continue // one of its ends is to blame
		}
		for _, h := range a.hosts {
			if !a.mild && !slices.Contains(guilty, h) && !slices.Contains(o.Innocent, h) {
				o.Innocent = append(o.Innocent, h)
			}
		}
	}
	return o
}

// accusation is a verdict sentence that says that something is wrong with hosts.
type accusation struct {
	hosts []string
	text  string
	path  bool // between two
	mild  bool // a doubt: it blames nobody
}

var (
	ofPath = regexp.MustCompile(`^The (?:path|link|cable)s? (?:from|between) (host\d+) (?:to|and) (host\d+)`)
	ofHost = regexp.MustCompile(`^(host\d+)\b(?:((?:, host\d+)*) and (host\d+))?`)
)

// accuses returns whom a sentence is about. Neither advice nor praise accuses
// anybody.
func accuses(s report.Sentence) (a accusation, is bool) {
	a.text, a.mild = s.Text, s.Kind == "doubt"
	if s.Kind != "bad" && s.Kind != "limit" && s.Kind != "doubt" {
		return a, false
	}
	if m := ofPath.FindStringSubmatch(s.Text); m != nil {
		a.hosts, a.path = m[1:], true
	} else if m := ofHost.FindStringSubmatch(s.Text); m != nil {
		a.hosts = strings.FieldsFunc(m[1]+m[2]+","+m[3], func(r rune) bool { return r == ',' || r == ' ' })
	}
	return a, len(a.hosts) > 0
}

// find scores one fault by the sentences that accuse its culprit; the best counts,
// since a fault may show in several ways. A mild one counts if it is about nobody
// else.
func find(k Kind, p Placed, all []accusation) Found {
	f := Found{Placed: p, Culprit: Missed, Direction: Missed, Cause: Missed}
	if p.Way == "" || p.Way == Both {
		f.Direction = NotAsked
	}
	for _, a := range all {
		if !k.names(p, a) {
			continue
		}
		f.Culprit = Right
		f.Cause = better(f.Cause, k.causeIn(a.text))
		if f.Direction != NotAsked {
			f.Direction = better(f.Direction, p.directionIn(a))
		}
	}
	return f
}

// names reports whether an accusation is about the culprit or its path.
func (k Kind) names(p Placed, a accusation) bool {
	peer := p.Peer != "" && (k.OrPeer || k.Of == "path")
	for _, h := range a.hosts {
		if h != p.Host && (!peer || h != p.Peer) {
			return false
		}
	}
	return true
}

var unexplained = regexp.MustCompile(`(?i)nothing .{0,40}explains|don't explain it|undecided|no (known )?cause|cannot tell|can't tell|either .* or |what .* is unknown`)

// causeIn scores the cause that a sentence names.
func (k Kind) causeIn(text string) Ruling {
	switch {
	case unexplained.MatchString(text):
		return Undecided
	case k.Is(text):
		return Right
	}
	return Wrong
}

// Patterns for the words that sentences use for directions.
var directions = map[Way]*regexp.Regexp{
	In:    regexp.MustCompile(`(?i)from every (other )?host|(it|host\d+) receives|incoming|inbound|receiving|into it\b`),
	Out:   regexp.MustCompile(`(?i)to every (other )?host|(it|host\d+) sends|outgoing|outbound|sending|packets to host\d+ go|out of it\b`),
	Both:  regexp.MustCompile(`(?i)to and from every|both (ways|directions)|in each direction`),
	Read:  regexp.MustCompile(`(?i)\breads?\b`),
	Write: regexp.MustCompile(`(?i)\bwrites?\b`),
}

// directionIn scores the direction that a sentence names: on a path, by the order
// of its hosts.
func (p Placed) directionIn(a accusation) Ruling {
	if m := ofPath.FindStringSubmatch(a.text); m != nil {
		switch {
		case strings.Contains(m[0], " between "):
			return Undecided
		case p.Way == Out && m[1] == p.Host, p.Way == In && m[2] == p.Host:
			return Right
		}
		return Wrong
	}
	against := map[Way]Way{In: Out, Out: In, Read: Write, Write: Read}[p.Way]
	own, other := directions[p.Way].MatchString(a.text), directions[against].MatchString(a.text)
	switch {
	case directions[Both].MatchString(a.text), other && !own:
		return Wrong
	case own && !other:
		return Right
	}
	return Undecided
}

// better returns the better of two rulings.
func better(a, b Ruling) Ruling {
	order := []Ruling{Missed, Wrong, Undecided, Right}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}
