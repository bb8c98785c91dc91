package diskspd

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"time"

	"assay"
	"assay/internal/powershell"
	"assay/internal/winfile"
)

// leastBytes is the minimum size of a file: a drive's own cache holds less. Paced operations
// show how long each takes, not a drive's limit.
const (
	leastBytes = 64 * mib
	leastPaced = 4 * mib
)

//go:embed fill.ps1
var fillScript string

// filling is the input of the script.
type filling struct {
	Do      string // for stand-ins of the script
	File    string
	Bytes   int64
	Seconds float64
}

// Prepare fills the scratch file sequentially with incompressible data: a file that DiskSpd
// creates holds one pattern, and a merely created one holds nothing. If on.Length runs out
// first, the file is cut to a size that evenly returns.
func (*Probe) Prepare(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	tr := assay.Transcript{Probe: name, Settings: t.Settings}
	least := leastBytes
	if t.Settings["rate_iops"] != "" {
		least = leastPaced
	}
	ready := on.Scratch
	if ready.Bytes = ready.Bytes / mib * mib; ready.Bytes < least {
		return tr, on.Scratch, tooSmall(t, "lent", on.Scratch.Bytes)
	}
	written, err := fill(ctx, &tr, on, ready)
	if err != nil {
		return tr, on.Scratch, err
	}
	if written < ready.Bytes {
		ready.Bytes = evenly(written, least)
	}
	if ready.Bytes < least {
		return tr, on.Scratch, tooSmall(t, "written", written)
	}
	return tr, ready, winfile.Settle(ctx, on.Place, ready)
}

func tooSmall(t assay.Trial, what string, bytes int64) error {
	return assay.WithHint("give it more time or more space",
		"trial %s: only %d MiB of scratch space were %s, too little to measure", t.ID, bytes/mib, what)
}

// fill writes the file and returns how many bytes were written from its start.
func fill(ctx context.Context, tr *assay.Transcript, on assay.Bench, s assay.Scratch) (int64, error) {
	argv, err := powershell.Command(fillScript, filling{"fill", s.File, s.Bytes, on.Length.Seconds()})
	if err != nil {
		return 0, err
	}
	host := on.Place.Host().Name
	out, err := on.Place.Run(ctx, assay.Cmd{Argv: argv, Timeout: fillBound(on.Length, s.Bytes)})
	tr.Steps = append(tr.Steps, assay.Step{Name: stepPrepare, Argv: argv, Output: out})
	var said struct {
		Written int64
		Why     string
	}
	switch {
	case errors.Is(err, assay.ErrTimeout):
		return 0, assay.WithHint("use a larger --time-budget, or another directory", "%s: preparing %s: %w", host, s.File, err)
	case err != nil:
		return 0, fmt.Errorf("%s: preparing %s: %w", host, s.File, err)
	}
	switch err := powershell.Read(out.Stdout, &said); {
	case err != nil:
		return 0, fmt.Errorf("%s: preparing %s: %s: %w", host, s.File, powershell.Said(out), err)
	case said.Why != "":
		return 0, fmt.Errorf("%s: preparing %s: %.300s", host, s.File, said.Why)
	case said.Written < 0 || said.Written > s.Bytes:
		return 0, fmt.Errorf("%s: preparing %s: %d bytes are said to be written of %d", host, s.File, said.Written, s.Bytes)
	}
	return said.Written, nil
}

// fillBound returns the timeout for filling: its own time and that of a flush. Without a
// bound, it is what a drive of 4 MiB/s would need.
func fillBound(length time.Duration, bytes int64) time.Duration {
	if length > 0 {
		return 2*length + 30*time.Second
	}
	return time.Duration(bytes/(4*mib))*time.Second + 10*time.Minute
}

// evenly returns the largest of least, twice that, four times that … that was written, the way
// fio's files shrink; 0 for none. Figures of files of different sizes would not be compared.
func evenly(written, least int64) int64 {
	if written < least {
		return 0
	}
	size := least
	for size <= written/2 {
		size *= 2
	}
	return size
}
