package incidents

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"assay"
)

// Round is one planted and diagnosed fault.
type Round struct {
	Kind    Kind
	Outcome Outcome
	Said    string
	Took    time.Duration // only the diagnosis
	// Text is the report as a user reads it.
	Text string
}

// Chosen returns the kind with that name.
func Chosen(name string) (Kind, error) {
	kinds := Kinds()
	if at := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name }); at >= 0 {
		return kinds[at], nil
	}
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return Kind{}, assay.WithHint(fmt.Sprintf("one of %q", names), "there is no fault %q", name)
}

// Drawn returns an endless sequence of kinds in random order: each appears once before
// any repeats.
func Drawn(seed uint64) iter.Seq[Kind] {
	random := rand.New(rand.NewPCG(seed, 19)) //nolint:gosec // must be repeatable, need not be secret
	return func(yield func(Kind) bool) {
		for {
			kinds := Kinds()
			random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
			for _, k := range kinds {
				if !yield(k) {
					return
				}
			}
		}
	}
}

// Possible reports whether the bed has what a kind needs.
func (bed *Bed) Possible(k Kind) bool { return k.needs == "" || bed.has[k.needs] }

// Try plants a fault, has this assay binary diagnose the cluster, judges the verdict,
// and restores the bed. It records the hosts' answers in the directory record, for assay
// diagnose --replay; the directory must not exist. An error means that nothing was
// diagnosed.
func (bed *Bed) Try(ctx context.Context, binary, record string, k Kind) (r Round, err error) {
	defer func() {
		if restored := bed.Restore(ctx); restored != nil && ctx.Err() == nil {
			if again := bed.Again(ctx); again != nil {
				err = errors.Join(err, restored, again)
			}
		}
	}()
	r.Kind = k
	if err := k.plant(ctx, bed); err != nil {
		return r, fmt.Errorf("plant %s: %w", k.Name, err)
	}
	asked, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	began := time.Now()
	printed, err := bed.assay(asked, binary, "--record", record, "--format", "json")
	r.Took = time.Since(began)
	if err == nil {
		r.Outcome, r.Said, err = Judge(k, printed)
	}
	if err != nil { // a result, too
		r.Outcome, r.Said = Silent, err.Error()
		return r, ctx.Err()
	}
	text, err := bed.assay(ctx, binary, "--replay", record)
	r.Text = string(text)
	return r, err
}

// assay runs assay diagnose on the cluster, with its own home directory.
func (bed *Bed) assay(ctx context.Context, binary string, words ...string) ([]byte, error) {
	home := filepath.Join(bed.Dir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, binary, append([]string{"diagnose", "-i", bed.File}, words...)...) //nolint:gosec // the binary under test
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + home, "TMPDIR=" + bed.Dir}
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return out, fmt.Errorf("assay diagnose ended with %d: %s", failed.ExitCode(), failed.Stderr)
	}
	return out, err
}
