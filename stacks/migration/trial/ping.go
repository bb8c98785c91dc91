package trial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/outage"
	"assay/stacks/migration"
)

// How often the guest is pinged. Before 2021, iputils allowed intervals below 200 ms
// only to root; since then, those below 2 ms.
const every = 2 * time.Millisecond

// ping starts pinging the guest from a host, and returns once the guest answers.
func ping(ctx context.Context, at assay.Place, address string) (*asker, error) {
	p := begin(ctx, at, StepPing, assay.Cmd{
		// -O prints a line for each unanswered request, so that there is always one.
		Argv: []string{"ping", "-n", "-D", "-O", "-i", strconv.FormatFloat(every.Seconds(), 'f', -1, 64),
			"-w", strconv.Itoa(int(migration.Longest.Seconds())), address},
		Env: []string{"LC_ALL=C"}, Timeout: migration.Longest + time.Minute, Limit: assay.LongOutputLimit,
	}, "bytes from ")
	if p.answer() {
		return p, nil
	}
	if errors.Is(p.err, assay.ErrNoCommand) {
		return p, assay.WithHint("install iputils-ping there, or leave out the guest's address under migrate:", "%s: %w", at.Host().Name, p.err)
	}
	said := ""
	if text := string(p.step.Output.Stderr); text != "" {
		said = fmt.Sprintf(": %.200q", text)
	}
	return p, assay.WithHint("see that address: under migrate: is the guest's, and that the guest answers ICMP echo requests",
		"%s: %s does not answer to a ping within %s%s", at.Host().Name, address, settling, said)
}

var (
	lineAnswer = lazyregexp.New(`^\[(\d{1,12}\.\d{1,9})\] \d+ bytes from \S+ icmp_seq=\d{1,9} `)
	lineTotals = lazyregexp.New(`^(\d{1,12}) packets transmitted, (\d{1,12}) received`)
)

// sight is what a ping saw of the guest.
type sight struct {
	at       []float64  // times of the answers, s of the pinging host's clock
	gap      outage.Gap // the longest between two
	lost     float64    // requests without an answer
	interval float64    // median between two answers, s
}

// fewestAnswers is how many answers it takes to see a gap: some before, and some
// after.
const fewestAnswers = 20

// sightOf parses the output of ping -D; nil if nobody pinged.
func sightOf(step *assay.Step) (*sight, error) {
	if step == nil {
		return nil, nil
	}
	var at []float64
	var s sight
	totals := false
	for line := range strings.Lines(string(step.Output.Stdout)) {
		if m := lineAnswer.FindStringSubmatch(line); m != nil {
			t, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				return nil, fmt.Errorf("ping: %.80q is not an answer", line)
			}
			at = append(at, t)
		} else if m := lineTotals.FindStringSubmatch(line); m != nil {
			sent, _ := strconv.ParseFloat(m[1], 64)
			received, _ := strconv.ParseFloat(m[2], 64)
			s.lost, totals = max(sent-received, 0), true
		}
	}
	if !totals {
		return nil, fmt.Errorf("ping: %w: no statistics at its end", assay.ErrNoOutput)
	}
	if len(at) < fewestAnswers {
		return nil, fmt.Errorf("ping: %w: %d answers, and at least %d are needed", assay.ErrNoOutput, len(at), fewestAnswers)
	}
	for i := range at[1:] {
		if back := at[i] - at[i+1]; back > 0 || math.IsNaN(back) {
			return nil, fmt.Errorf("ping: the observer's clock jumped back by %.3f s during the migration", back)
		}
	}
	s.at, s.interval = at, outage.Interval(at)
	s.gap, _ = outage.Longest(at, math.Inf(-1), math.Inf(1))
	return &s, nil
}
