package trial

import (
	"context"
	"errors"

	"assay"
	"assay/internal/oneline"
	"assay/stacks/migration"
)

// inside starts what answers inside the guest, in which in runs commands, and begins to query
// it from a host. If that fails, it returns nil, and the steps say why.
func inside(ctx context.Context, m migration.Move, in, outside assay.Place, load int64, tr *assay.Transcript) *asker {
	c := m.Begin(load)
	out, err := assay.Output{}, errors.New("there is no way into the guest")
	if in != nil {
		out, err = in.Run(ctx, c)
	}
	if err != nil {
		out.Stderr, out.Exit = []byte(oneline.Brief([]byte(err.Error()))), noExit
	}
	tr.Steps = append(tr.Steps, assay.Step{Name: StepInside, Argv: c.Argv, Output: out})
	door, err := migration.ReadDoor(out)
	if err != nil {
		return nil
	}
	a := begin(ctx, outside, StepObserve, m.Observe(door), "udp answers\n")
	if a.answer() {
		return a
	}
	switch {
	case errors.Is(a.err, context.Canceled):
		a.step.Output.Stderr, a.step.Output.Exit = []byte("a firewall may drop it"), noExit
	case a.err != nil:
		a.step.Output.Stderr, a.step.Output.Exit = []byte(oneline.Brief([]byte(a.err.Error()))), noExit
	}
	tr.Steps = append(tr.Steps, a.step)
	return nil
}

// noExit is the exit status of what could not run, or was given up.
const noExit = 255

// unanswered returns why nothing inside the guest answered; nil if something did, or nobody
// asked.
func unanswered(tr assay.Transcript) error {
	began, asked := tr.Step(StepInside), tr.Step(StepObserve)
	if began == nil {
		return nil
	}
	if _, err := migration.ReadDoor(began.Output); err != nil {
		return err
	}
	switch {
	case asked == nil:
		return errors.New("nobody asked")
	case asked.Output.Exit == noExit:
		return errors.New("it gave no answer to UDP: " + oneline.Brief(asked.Output.Stderr))
	case asked.Output.Exit != 0:
		return errors.New("what asks it failed: " + oneline.Brief(asked.Output.Stderr))
	}
	if seen, err := migration.ReadSeen(asked.Output.Stdout); err == nil && (seen.UDP.Silent || seen.UDP.Answered < fewestAnswers) {
		return errors.New("what answered in the guest fell silent")
	}
	return nil
}
