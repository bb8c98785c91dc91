package iperf3

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// row is one line of the table.
type row struct {
	id      string // of the stream, or SUM
	role    string // TX-C, RX-S; "" where there is one direction
	side    string // sender or receiver; "" in an interval
	omitted bool
	interval
	udp  bool
	cwnd figure
}

var (
	rowPattern = lazyregexp.New(`\[ *(\d+|SUM) ?\](?:\[([RT]X-[CS])\])? *(\d+\.\d+) *- *(\d+\.\d+) *sec +` +
		`(\d+(?:\.\d+)?) ([KMGTP]?)Bytes +(\d+(?:\.\d+)?) ([KMGTP]?)(bits|Bytes)/sec(.*)$`)
	segmentColumns  = lazyregexp.New(`^ +(\d+)(?: +(\d+(?:\.\d+)?) ([KMGTP]?)Bytes)?(?: |$)`)
	datagramColumns = lazyregexp.New(`^ +(\d+(?:\.\d+)?) ms +(-?\d+)/(-?\d+)(?: |$)`)
)

// parseRow reads a line of the table; ok is false for any other line.
func parseRow(line string, number int) (r row, ok bool, err error) {
	if !strings.Contains(line, "/sec") {
		return row{}, false, nil
	}
	m := rowPattern.FindStringSubmatch(line)
	if m == nil {
		return row{}, false, nil
	}
	r.id, r.role, r.line = m[1], m[2], number
	if r.start, err = scaled(m[3], 1); err == nil {
		r.end, err = scaled(m[4], 1)
	}
	if err == nil {
		r.bytes, err = parseBytes(m[5], m[6])
	}
	if err == nil {
		r.rate, err = parseSpeed(m[7], m[8], m[9])
	}
	if err == nil && r.end < r.start {
		err = fmt.Errorf("the interval ends at %s s, before it starts", m[4])
	}
	if err == nil {
		err = r.columns(m[10])
	}
	if err != nil {
		return row{}, false, fmt.Errorf("iperf3's line %d: %w", number, err)
	}
	return r, true, nil
}

// columns reads the columns after the rate.
func (r *row) columns(rest string) error {
	r.omitted = strings.Contains(rest, "(omitted)")
	for _, side := range []string{"sender", "receiver"} {
		if strings.Contains(rest, side) {
			r.side = side
		}
	}
	if m := datagramColumns.FindStringSubmatch(rest); m != nil {
		return r.datagrams(m)
	}
	m := segmentColumns.FindStringSubmatch(rest)
	if m == nil {
		return nil
	}
	resent, err := scaled(m[1], 1)
	if err != nil {
		return err
	}
	r.resent = figure{resent, r.line}
	if m[2] != "" {
		window, err := parseBytes(m[2], m[3])
		if err != nil {
			return err
		}
		r.cwnd = figure{window, r.line}
	}
	return nil
}

func (r *row) datagrams(m []string) error {
	r.udp = true
	jitter, err := scaled(m[1], 1e-3)
	if err != nil {
		return err
	}
	lost, errLost := strconv.ParseFloat(m[2], 64)
	total, errTotal := strconv.ParseFloat(m[3], 64)
	// A late datagram is subtracted from the losses of the second in which it
	// arrives; over a whole test, no datagram can be lost more often than it was
	// sent.
	whole := r.side != ""
	if errLost != nil || errTotal != nil || whole && lost < 0 || total < lost || total < 0 || math.IsInf(total, 0) || math.IsInf(lost, 0) {
		return fmt.Errorf("%.20s of %.20s datagrams lost, which is impossible", m[2], m[3])
	}
	r.jitter, r.lost, r.total = figure{jitter, r.line}, figure{lost, r.line}, figure{total, r.line}
	return nil
}

// summary returns the row as the summary of its flow.
func (r row) summary() summary {
	return summary{
		start: r.start, end: r.end, bytes: r.bytes, rate: r.rate, line: r.line,
		resent: r.resent, jitter: r.jitter, lost: r.lost, total: r.total, sides: r.side != "",
	}
}
