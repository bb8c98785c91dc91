// Command verify simulates how many faults link sampling finds in a cluster of a
// thousand hosts, and how many innocents it blames. Everything is derived from a seed.
// It fails if 40 rounds find fewer or blame more than promised.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"assay/analysis/sampled"
	"assay/analysis/sampled/sampledtest"
	"assay/internal/marked"
)

// The promise for a cluster in racks after 40 rounds.
const (
	promisedRounds = 40
	leastFound     = .95
	mostInnocent   = .01 // a cluster
	faults         = 5
)

var errPromise = errors.New("the promise is not kept")

func main() {
	clusters := flag.Int("clusters", 100, "simulated clusters a row")
	seed := flag.Uint64("seed", 1, "seed of the clusters")
	document := flag.String("write", "", "also write the tables into this document, between its two marks")
	flag.Parse()
	text, err := verify(*clusters, *seed)
	fmt.Print(text)
	if err == nil && *document != "" {
		err = marked.Write(*document, "verify-sampling", text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "verify:", err)
		os.Exit(1)
	}
}

// tally counts the outcomes of the faults in several clusters.
type tally struct {
	found, of []int // by kind
	settled   int   // found after following up suspects, all kinds
	innocent  int   // blamed, whichever is more
}

func (t tally) share() float64 { return float64(sum(t.found)) / float64(max(1, sum(t.of))) }

func (t tally) shareSettled() float64 { return float64(t.settled) / float64(max(1, sum(t.of))) }

func sum(all []int) (n int) {
	for _, v := range all {
		n += v
	}
	return n
}

func simulate(c sampledtest.Cluster, clusters int, seed uint64) tally {
	t := tally{found: make([]int, len(sampledtest.Kinds)), of: make([]int, len(sampledtest.Kinds))}
	for n := range clusters {
		dice := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // reproducible from the seed, on purpose
		ways, planted, measure := sampledtest.Simulate(c, dice)
		right, innocent := sampledtest.Scores(planted, sampled.Blame(ways))
		settled, more := sampledtest.Scores(planted, sampled.Blame(sampledtest.FollowUp(ways, measure)))
		t.innocent += max(innocent, more)
		for _, is := range settled {
			if is {
				t.settled++
			}
		}
		for i, is := range right {
			t.of[planted[i].Kind]++
			if is {
				t.found[planted[i].Kind]++
			}
		}
	}
	return t
}

// verify renders a table of sizes and rounds, and one of fault kinds.
func verify(clusters int, seed uint64) (string, error) {
	var b strings.Builder
	var err error
	fmt.Fprintf(&b, "%d clusters a row, seed %d:\n\n", clusters, seed)
	b.WriteString("| hosts | in racks of | faults | rounds | links measured | faults found | with suspects followed up | innocents blamed |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	var promised tally
	for _, c := range []sampledtest.Cluster{
		{Hosts: 1000, PerRack: 40, Faults: faults, Rounds: 12}, {Hosts: 1000, PerRack: 40, Faults: faults, Rounds: 20},
		{Hosts: 1000, PerRack: 40, Faults: faults, Rounds: promisedRounds}, {Hosts: 1000, Faults: faults, Rounds: promisedRounds},
		{Hosts: 1000, PerRack: 40, Rounds: promisedRounds}, {Hosts: 100, PerRack: 20, Faults: 2, Rounds: promisedRounds}, {Hosts: 40, Faults: 1, Rounds: promisedRounds},
		{Hosts: 100, PerRack: 20, Faults: 2, Rounds: 12}, {Hosts: 40, Faults: 1, Rounds: 8},
	} {
		t := simulate(c, clusters, seed)
		if c.Hosts == 1000 && c.Rounds == promisedRounds && c.Faults > 0 {
			if t.share() < leastFound || float64(t.innocent) > mostInnocent*float64(clusters) {
				err = errors.Join(err, fmt.Errorf("%w: %+v: %.3f found, %d innocents blamed", errPromise, c, t.share(), t.innocent))
			}
			if c.PerRack > 0 {
				promised = t
			}
		}
		found, settled, racks := "-", "-", "-"
		if c.Faults > 0 {
			found, settled = fmt.Sprintf("%.1f %%", 100*t.share()), fmt.Sprintf("%.1f %%", 100*t.shareSettled())
		}
		if c.PerRack > 0 {
			racks = fmt.Sprint(c.PerRack)
		}
		fmt.Fprintf(&b, "| %d | %s | %d | %d | %.1f %% | %s | %s | %d |\n", c.Hosts, racks, c.Faults, c.Rounds,
			100*float64(c.Rounds)/2/float64(c.Hosts-1), found, settled, t.innocent)
	}
	fmt.Fprintf(&b, "\nBy kind, 1000 hosts in racks of 40, %d rounds:\n\n| fault | found |\n| --- | ---: |\n", promisedRounds)
	for i, kind := range sampledtest.Kinds {
		fmt.Fprintf(&b, "| %s | %d of %d |\n", kind, promised.found[i], promised.of[i])
	}
	return b.String(), err
}
