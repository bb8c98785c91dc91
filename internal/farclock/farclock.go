// Package farclock measures how far another host's clock is ahead, so that what
// several hosts saw fits on one time line.
package farclock

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

const patience = time.Minute

// looks is how often a clock is queried: the quickest answer is the most
// precise.
const looks = 5

// Ask asks a host for its time and returns the step of the quickest answer.
func Ask(ctx context.Context, at assay.Place, name string) (best assay.Step, err error) {
	c := assay.Cmd{Argv: []string{"date", "+%s.%N"}, Timeout: patience}
	for i := range looks {
		out, err := at.Run(ctx, c)
		if err != nil {
			return best, fmt.Errorf("%s: its clock: %w", at.Host().Name, err)
		}
		if i == 0 || out.Elapsed < best.Output.Elapsed {
			best = assay.Step{Name: name, Argv: c.Argv, Output: out}
		}
	}
	return best, nil
}

// Ahead returns how far the host's clock is ahead of that of the asking host, and the
// possible error, both in s. A date that prints whole seconds, such as BusyBox's, was asked
// half a second after them, give or take half a second. It is pure and total.
func Ahead(asked assay.Step) (ahead, off float64, err error) {
	at, err := Read(asked.Output.Stdout)
	if err != nil {
		return 0, 0, err
	}
	half := asked.Output.Elapsed.Seconds() / 2
	ahead, off = at-Seconds(asked.Output.Started)-half, half
	if said := clock.FindString(strings.TrimSpace(string(asked.Output.Stdout))); !strings.Contains(said, ".") {
		ahead, off = ahead+.5, off+.5
	}
	return ahead, off, nil
}

// Seconds returns a time in Ask's form: s since 1970.
func Seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }

var clock = lazyregexp.New(`^(\d{1,12}(?:\.\d{1,9})?)`)

// Read parses what date prints, s since 1970. Some print no fractions.
func Read(text []byte) (float64, error) {
	m := clock.FindStringSubmatch(strings.TrimSpace(string(text)))
	if m == nil {
		return 0, fmt.Errorf("%.40q is not a time", text)
	}
	return strconv.ParseFloat(m[1], 64)
}
