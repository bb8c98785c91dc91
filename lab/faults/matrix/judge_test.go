package matrix

import (
	"slices"
	"testing"

	"assay/report"
)

var two = []Kind{
	{Name: "loss", Half: Tuned, Layer: "network", Ways: []Way{In, Out, Both}, Causes: []string{`los(es|s|t|ing)\b`}},
	{Name: "path", Half: Kept, Layer: "network", Of: "path", Ways: []Way{Out}, Causes: []string{"cable"}},
	{Name: "slow", Half: Kept, Layer: "storage", Ways: []Way{Write}, Causes: []string{"I/O limit"}},
}

func TestJudge(t *testing.T) {
	lossIn := Placed{Kind: "loss", Host: "host3", Way: In}
	path := Placed{Kind: "path", Host: "host1", Peer: "host4", Way: Out}
	writes := Placed{Kind: "slow", Host: "host2", Way: Write}
	const good = "good"
	for _, c := range []struct {
		name             string
		fault            *Placed
		kind, says       string
		culprit          Ruling
		direction, cause Ruling
		innocent         []string
	}{
		{"nobody is named", &lossIn, good, "No host stands out.", Missed, Missed, Missed, nil},
		{"all is said", &lossIn, "bad", "host3 loses incoming packets on storage.", Right, Right, Right, nil},
		{"the other direction", &lossIn, "bad", "host3 loses outgoing packets on storage.", Right, Wrong, Right, nil},
		{"both directions", &lossIn, "bad", "host3 loses packets in both directions on storage.", Right, Wrong, Right, nil},
		{"no cause", &lossIn, "bad", "host3 is 4 × slower from every host on storage: its hardware facts don't explain it.", Right, Right, Undecided, nil},
		{"another cause", &lossIn, "limit", "host3 is 4 × slower on storage: its link is 1 Gb/s.", Right, Undecided, Wrong, nil},
		{"somebody else", &lossIn, "bad", "host2 loses incoming packets on storage.", Missed, Missed, Missed, []string{"host2"}},
		{"one of several", &lossIn, "bad", "host1, host2 and host3 lose packets.", Missed, Missed, Missed, []string{"host1", "host2"}},
		{"a doubt is of nobody", &lossIn, "doubt", "host1 and host2 were not idle.", Missed, Missed, Missed, nil},
		{"a doubt of the culprit", &lossIn, "doubt", "host3 was not idle.", Right, Undecided, Wrong, nil},
		{"advice accuses nobody", &lossIn, "next", "host2: check the cable.", Missed, Missed, Missed, nil},
		{"the path", &path, "bad", "The path from host1 to host4 is 9 × slower: check the cable.", Right, Right, Right, nil},
		{"the path backwards", &path, "bad", "The path from host4 to host1 is 9 × slower.", Right, Wrong, Wrong, nil},
		{"the path from, its cause between", &path, "bad", "The path from host1 to host4 loses packets. Possible: a cable or port between them.", Right, Right, Right, nil},
		{"the path both ways", &path, "bad", "The path between host1 and host4 is 9 × slower.", Right, Undecided, Wrong, nil},
		{"a path of its", &lossIn, "bad", "The path from host1 to host3 loses packets.", Missed, Missed, Missed, nil},
		{"another path", &path, "bad", "The path from host2 to host3 is 9 × slower.", Missed, Missed, Missed, []string{"host2", "host3"}},
		{"writes", &writes, "limit", "host2 is 8 × slower in 4 KiB synchronous write at depth 1: its I/O limit is 60 writes/s.", Right, Right, Right, nil},
		{"reads", &writes, "limit", "host2 is 8 × slower in 4 KiB random read.", Right, Wrong, Wrong, nil},
		{"a control", nil, "bad", "host2 is 8 × slower in 4 KiB random read.", "", "", "", []string{"host2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var planted Case
			if c.fault != nil {
				planted.Faults = []Placed{*c.fault}
			}
			o := Judge(two, planted, report.Document{Verdict: []report.Sentence{{Kind: c.kind, Text: c.says}}})
			if c.fault != nil {
				if f := o.Found[0]; f.Culprit != c.culprit || f.Direction != c.direction || f.Cause != c.cause {
					t.Errorf("culprit %s, direction %s, cause %s; want %s, %s, %s", f.Culprit, f.Direction, f.Cause, c.culprit, c.direction, c.cause)
				}
			}
			if slices.Sort(o.Innocent); !slices.Equal(o.Innocent, c.innocent) {
				t.Errorf("innocent accused: %v, want %v", o.Innocent, c.innocent)
			}
		})
	}
}

// A fault without a direction is not judged on one; the best of several sentences
// counts; and each fault of a pair is judged separately.
func TestJudgeOfTwo(t *testing.T) {
	c := Case{Faults: []Placed{{Kind: "loss", Host: "host3", Way: Both}, {Kind: "slow", Host: "host2", Way: Write}}}
	o := Judge(two, c, report.Document{Verdict: []report.Sentence{
		{Kind: "bad", Text: "host3 is 2 × slower: its hardware facts don't explain it."},
		{Kind: "bad", Text: "host3 loses packets in both directions."},
	}})
	if f := o.Found[0]; f.Culprit != Right || f.Direction != NotAsked || f.Cause != Right {
		t.Errorf("%+v", f)
	}
	if f := o.Found[1]; f.Culprit != Missed || len(o.Innocent) > 0 {
		t.Errorf("%+v, innocent %v", f, o.Innocent)
	}
}
