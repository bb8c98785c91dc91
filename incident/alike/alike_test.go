package alike_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/incident"
	"assay/incident/alike"
	"assay/incident/blame"
)

func text(lines ...string) incident.Log {
	log := incident.Log{Lines: len(lines)}
	for i, l := range lines {
		log.Head = append(log.Head, incident.Line{Text: l, Source: incident.Source{File: "t", Line: i + 1}})
	}
	return log
}

func known(id string, layer incident.Layer, lines ...string) alike.Termed {
	return alike.Termed{Incident: alike.Incident{ID: id, Source: "s", Layers: []incident.Layer{layer}, Cause: "It was " + id + "."}, Terms: alike.Terms(text(lines...))}
}

// Four incidents of two words each, with no word pair in common.
func few() *alike.Set {
	return alike.NewSet([]alike.Termed{
		known("a", incident.Drive, "sector", "medium"),
		known("b", incident.Drive, "sector", "bus"),
		known("c", incident.Link, "bus", "cable"),
		known("d", incident.Network, "cable", "lonely"),
	})
}

func TestTerms(t *testing.T) {
	log := text("ata3: hard resetting link", "sd 0:0:0:0: [sda] x")
	log.Events = []incident.Event{{Kind: incident.ATAReset}, {Kind: incident.ATATimeout}, {Kind: incident.ATAReset}}
	want := []string{
		"=ATA command timed out", "=ATA command timed out&SATA link reset", "=SATA link reset",
		"ata", "ata hard", "hard", "hard resetting", "link", "resetting", "resetting link", "sd", "sd sda", "sda",
	}
	if diff := cmp.Diff(want, alike.Terms(log)); diff != "" {
		t.Error(diff)
	}
}

// A term in two of four incidents weighs log 2, one in a single incident nothing: "sector"
// alone matches a fully, and b by the square root of a half.
func TestLikenessIsTheCosine(t *testing.T) {
	l := few().Compare(text("sector"))
	if len(l.Nearest) != 2 || l.Nearest[0].ID != "a" || l.Nearest[1].ID != "b" {
		t.Fatalf("got %+v", l.Nearest)
	}
	for i, want := range []float64{1, math.Sqrt(.5)} {
		if got := l.Nearest[i].Like; math.Abs(got-want) > 1e-12 {
			t.Errorf("likeness %d is %v, want %v", i, got, want)
		}
	}
	if l.Layer != incident.Drive || l.Agree != 2 || l.Sure != 1 {
		t.Errorf("got %+v", l)
	}
}

// b and c are equally similar: neither layer has more than half of the votes.
func TestVotesAreDivided(t *testing.T) {
	l := few().Compare(text("bus"))
	if l.Sure <= 0 || l.Sure > 0.5 {
		t.Errorf("two layers with the same votes, and the likeness makes %v sure", l.Sure)
	}
}

func TestAnIncidentIsNotComparedWithItself(t *testing.T) {
	for _, m := range few().Without("a").Compare(text("sector")).Nearest {
		if m.ID == "a" {
			t.Error("a is among them")
		}
	}
	if l := few().Without("nobody").Compare(text("sector")); len(l.Nearest) != 2 {
		t.Errorf("got %+v", l.Nearest)
	}
}

func TestAWholeLogIsLikeNothing(t *testing.T) {
	log := text("sector")
	log.Lines = incident.HeadLines + 1
	if l := few().Compare(log); len(l.Nearest) != 0 {
		t.Errorf("got %+v", l)
	}
}

func TestNothingIsLikeNothing(t *testing.T) {
	for _, log := range []incident.Log{{}, text(""), text("unheard of")} {
		if l := few().Compare(log); len(l.Nearest) != 0 || l.Sure != 0 {
			t.Errorf("got %+v", l)
		}
	}
}

// A suspicion quotes the lines that speak for its layer.
func TestWhereRulesAreSilent(t *testing.T) {
	log := text("noise", "sector", "cable")
	v, _ := few().Weigh(blame.Verdict{}, log)
	if len(v.Between) != 1 || v.Between[0].Layer != incident.Drive || v.Between[0].How != blame.Possible {
		t.Fatalf("got %+v", v)
	}
	if e := v.Between[0].Evidence; len(e) != 1 || e[0].Text != "sector" || e[0].Source.Line != 2 {
		t.Errorf("the evidence is %+v", e)
	}
}

func TestRulesGoFirst(t *testing.T) {
	log := text("sector")
	named := blame.Verdict{Cause: &blame.Cause{Layer: incident.Power}}
	open := blame.Verdict{Between: []blame.Cause{{Layer: incident.Power}, {Layer: incident.Drive}}}
	for _, was := range []blame.Verdict{named, open} {
		is, l := few().Weigh(was, log)
		if diff := cmp.Diff(was, is, cmp.AllowUnexported(blame.Cause{})); diff != "" {
			t.Error(diff)
		}
		if len(l.Nearest) == 0 {
			t.Error("and nothing is shown")
		}
	}
}

// Only terms shared by two incidents are kept.
func TestPackedIncidentsComeBack(t *testing.T) {
	a, b := known("a", incident.Drive, "sector one"), known("b", incident.Link, "sector two")
	packed, err := alike.Pack([]alike.Termed{a, b})
	if err != nil {
		t.Fatal(err)
	}
	got, err := alike.Unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	a.Terms, b.Terms = []string{"sector"}, []string{"sector"}
	if diff := cmp.Diff([]alike.Termed{a, b}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := alike.Unpack(packed[:len(packed)/2]); err == nil {
		t.Error("half of it was read")
	}
}

// The known incidents are readable, and a text finds its own incident.
func TestKnownIncidents(t *testing.T) {
	l := alike.Known().Compare(text("nfs: server 10.0.1.1 not responding, still trying"))
	if len(l.Nearest) == 0 {
		t.Fatal("no incident has an NFS server that does not respond")
	}
	for _, m := range l.Nearest {
		if m.ID == "" || m.Cause == "" || m.Source == "" || len(m.Layers) == 0 || strings.ContainsAny(m.Cause+m.Source, "\x00\x1b") {
			t.Errorf("unusable: %+v", m)
		}
	}
}
