package sysbench

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// transactions is the output of a database test: one that comes with sysbench
// (oltp_read_write and its siblings), or a third-party script such as TPC-C.
type transactions struct {
	rate    figure // a second
	count   figure
	queries figure // a second
	read    figure // queries in all
	written figure
	failed  figure // transactions per second that were rolled back and retried
	tail    figure
	percent float64 // the percentile of tail
	rows    []assay.Sample
	lastRow int
}

const databases = "OLTP" // database tests, as errors name them

// perSecond is a count with its rate: 461658 (7694.26 per sec.)
const perSecond = ` +(\d+) *\( *` + number + ` +per sec\.\)$`

var transactionRules = []struct {
	pattern *lazyregexp.Regexp
	read    func(t *transactions, m []string, line int) error
}{
	{lazyregexp.New(`^transactions:` + perSecond), func(t *transactions, m []string, line int) error {
		if err := t.count.set(m[1], 1, line); err != nil {
			return err
		}
		return t.rate.set(m[2], 1, line)
	}},
	{lazyregexp.New(`^queries:` + perSecond), func(t *transactions, m []string, line int) error { return t.queries.set(m[2], 1, line) }},
	// 0.4 and 0.5 count statements that neither read nor write (BEGIN, COMMIT)
	// separately.
	{lazyregexp.New(`^(?:ignored errors|deadlocks):` + perSecond), func(t *transactions, m []string, line int) error { return t.failed.set(m[2], 1, line) }},
	{lazyregexp.New(`^read: +(\d+)$`), func(t *transactions, m []string, line int) error { return t.read.set(m[1], 1, line) }},
	{lazyregexp.New(`^write: +(\d+)$`), func(t *transactions, m []string, line int) error { return t.written.set(m[1], 1, line) }},
	{lazyregexp.New(`^(?:approx\. +)?(\d+(?:\.\d+)?)(?:th)? percentile: +` + number + `(?:ms)?$`), func(t *transactions, m []string, line int) error {
		percent, err := parseNumber(m[1])
		if err != nil || percent <= 0 || percent >= 100 {
			return err
		}
		t.percent = percent
		return t.tail.set(m[2], 1e-3, line)
	}},
	{lazyregexp.New(`^\[ *` + number + `s *\] (?:thds|threads): \d+,? tps: ` + number + `,? `), func(t *transactions, m []string, line int) (err error) {
		t.lastRow = line
		t.rows, err = sampled(t.rows, m[1], m[2], 1)
		return err
	}},
}

func (t *transactions) line(text string, number int) error {
	for _, r := range transactionRules {
		if m := r.pattern.FindStringSubmatch(text); m != nil {
			return r.read(t, m, number)
		}
	}
	return nil
}

// measurements returns the figures of a whole run. An event of these tests is a
// transaction.
func (t *transactions) measurements(p printed, argv []string) ([]assay.Measurement, error) {
	rate := t.rate
	switch {
	case p.duration.line != 0 && p.duration.value <= 0:
		return nil, fmt.Errorf("sysbench's line %d: ran 0 s", p.duration.line)
	case rate.line == 0 && p.events.line != 0 && p.duration.line != 0:
		rate = figure{p.events.value / p.duration.value, p.events.line}
	case rate.line == 0:
		return nil, fmt.Errorf("sysbench: %w: no line shows the transactions per second", assay.ErrNoOutput)
	case p.duration.line != 0 && contradicts(rate.value, t.count.value/p.duration.value, .01):
		return nil, fmt.Errorf("sysbench's line %d: %g transactions/s contradict %g in %g s", rate.line, rate.value, t.count.value, p.duration.value)
	}
	if rate.value <= 0 {
		return nil, assay.WithHint("run it for longer", "sysbench's line %d: no transaction was completed", rate.line)
	}
	labels := t.labels(p, argv)
	out := []assay.Measurement{measured("database.transactions", rate, assay.PerSecond, labels)}
	out[0].Samples = t.rows
	if t.queries.value > 0 {
		out = append(out, measured("database.queries", t.queries, assay.PerSecond, labels))
	}
	if p.mean.value > 0 {
		out = append(out, measured("database.latency.mean", p.mean, assay.Seconds, labels))
	}
	if t.tail.value > 0 {
		out = append(out, measured(assay.PercentileMetric("database.", t.percent), t.tail, assay.Seconds, labels))
	}
	return addDuration(out, p, labels), nil
}

// labels describes what the transactions did, as far as the output and the command
// show.
func (t *transactions) labels(p printed, argv []string) map[string]string {
	labels := commonLabels(p, options(argv))
	put(labels, "test", databaseTest(argv))
	switch {
	case t.read.line == 0 || t.written.line == 0:
	case t.written.value == 0:
		labels["mix"] = "reads only"
	case t.read.value == 0:
		labels["mix"] = "writes only"
	default:
		labels["mix"] = "reads and writes"
	}
	if t.failed.value > 0 {
		labels["errors"] = strconv.FormatFloat(t.failed.value, 'g', -1, 64)
	}
	return labels
}

// databaseTest returns the database test that a command requests, or "" if it requests
// none of sysbench's own.
func databaseTest(argv []string) string {
	for _, word := range split(argv) {
		word = strings.TrimSuffix(path.Base(strings.TrimPrefix(word, "--test=")), ".lua")
		for _, begin := range []string{"oltp", "select_random_", "bulk_insert"} {
			if strings.HasPrefix(word, begin) {
				return word
			}
		}
	}
	return ""
}
