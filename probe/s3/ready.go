package s3

import (
	"context"
	"fmt"
	"time"

	"assay"
	"assay/stacks/s3/agent"
)

const (
	// leastLaying is the minimum time for laying out objects.
	leastLaying = 15 * time.Second
	// leastTidying is the minimum time for removing what earlier repeats wrote.
	// What remains is removed before the next repeat.
	leastTidying = 30 * time.Second
)

// Prepare writes the objects that the trial reads, or fewer if on.Length runs out
// first. PrepareRepeat writes those of other trials on the same bucket, before
// their first repeat.
func (probe) Prepare(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	tr, err := layOut(ctx, t, on, on.Length)
	return tr, on.Scratch, err
}

// PrepareRepeat removes what earlier repeats wrote, if that is much, and writes missing
// objects that the repeat reads or deletes, so that Run only has to measure. on.Length
// bounds the writing; 0 is no bound.
func (probe) PrepareRepeat(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	within := max(2*t.Length, leastLaying)
	if t.Settings["read"] == cold || t.Settings["page"] != "" {
		within = on.Length // too few objects change the figure: write them once, as many as there is time for
	}
	if on.Length > 0 {
		within = min(within, on.Length)
	}
	return layOut(ctx, t, on, within)
}

// layOut has the agent make room and write the trial's missing objects, within
// that time.
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
