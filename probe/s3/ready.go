package s3

import (
	"context"
	"fmt"
	"time"

	"assay"
	"assay/stacks/s3/agent"
)

const (
	// leastLaying is the least time that laying objects out gets.
	leastLaying = 15 * time.Second
	// leastTidying is the least time that removing what earlier repeats wrote gets.
	// What it is too short for is removed before the next one.
	leastTidying = 30 * time.Second
)

// Prepare writes the objects that the trial reads. Where on.Length runs out first
// there are fewer of them. Those of other trials on the same bucket are written by
// Ready, before their first repeat.
func (probe) Prepare(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	tr, err := layOut(ctx, t, on, on.Length)
	return tr, on.Scratch, err
}

// PrepareRepeat removes what earlier repeats wrote, where that has become much, and writes
// what the repeat reads or deletes and is not there, so that Run has nothing to do
// but to measure. on.Length bounds the writing; 0 is no bound.
func (probe) PrepareRepeat(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	within := max(2*t.Length, leastLaying)
	if t.Settings["read"] == cold || t.Settings["page"] != "" {
		within = on.Length // what too few objects give is another figure: once, and as many as there is time for
	}
	if on.Length > 0 {
		within = min(within, on.Length)
	}
	return layOut(ctx, t, on, within)
}

// layOut has the agent make room and lay out what is missing of the trial's
// objects, for so long.
func layOut(ctx context.Context, t assay.Trial, on assay.Bench, within time.Duration) (assay.Transcript, error) {
	tr := transcriptOf(t)
	if on.Scratch.Dir == "" || on.Scratch.File == "" {
		return tr, fmt.Errorf("trial %s: no bucket was provided", t.ID)
	}
	on.Length = 0
	job, err := jobOf(t, on)
	if err != nil {
		return tr, err
	}
	// Removing takes about as long as writing did.
	job.Do, job.Within, job.Tidy = agent.LayOut, within, max(3*t.Length, leastTidying)
	job.Bound = job.Tidy + 2*within + time.Minute
	if within == 0 {
		job.Bound = 10 * time.Minute
	}
	if err := carryOut(ctx, &tr, on.Place, stepLayOut, on.Scratch.Dir, job, nil); err != nil {
		return tr, err
	}
	_, err = replyOf(&tr.Steps[len(tr.Steps)-1])
	return tr, err
}
