package virsh

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/stacks/migration"
)

// How often the guest is pinged. iputils let only root ask more often than every 200 ms
// before 2021, and every 2 ms since.
const every = 2 * time.Millisecond

// ping begins to ping the guest, from a host, and returns when the guest answers.
func ping(ctx context.Context, at assay.Place, address string) (*asker, error) {
	p := begin(ctx, at, stepPing, assay.Cmd{
		// -O prints a line for each question without an answer, so that there is always one.
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
