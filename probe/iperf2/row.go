package iperf2

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// figure is a number and the line it was on, from 1; line 0: not printed.
type figure struct {
	value float64
	line  int
}

// row is one line of the table.
type row struct {
	id          string // of the connection, or SUM
	starred     bool   // data flows against the connection's direction
	line        int
	start, end  float64 // s
	bytes, rate float64 // B and B/s
	jitter      figure  // s
	lost, total figure
	resent      figure
	cwnd, rtt   figure // B and s
}

// greatest is more than any network moves or any test lasts.
const greatest = 1e18

var (
	rowPattern = lazyregexp.New(`^[ \t>]*\[ *(\*?)(\d+|SUM)(?:-\d+)? ?\] *(\d+\.\d+) *- *(\d+\.\d+) +sec +` +
		`(\d+(?:\.\d+)?) +([KMGTP]?)(Bytes|bits) +(\d+(?:\.\d+)?) +([KMGTP]?)(bits|Bytes)/sec(.*)$`)
	datagrams = lazyregexp.New(`^(?: +(\d+(?:\.\d+)?) +ms)? +(-?\d+)/ *(-?\d+) +\(`)
	// -e: writes and their errors, retries, window and round-trip time; since
	// 2.1.9 the bytes in flight come first, and packets in brackets.
	enhanced = lazyregexp.New(`^ +\d+/\d+(?:/\d+)? +(\d+) +(?:-?\d+[KM]?\(\d+\)/)?(\d+)([KM]?)(?:\(\d+\))?/(\d+)(?:\(\d+\))? us`)
	prefixes = map[string]float64{"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
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
	r = row{id: m[2], starred: m[1] != "", line: number}
	// A transfer uses powers of 1024, whatever its unit; a rate in bits uses
	// powers of 1000.
	for _, field := range []struct {
		to    *float64
		word  string
		scale float64
	}{
		{&r.start, m[3], 1}, {&r.end, m[4], 1}, {&r.bytes, m[5], unit(m[6], m[7], 1024)},
		{&r.rate, m[8], unit(m[9], m[10], 1000)},
	} {
		if *field.to, err = scaled(field.word, field.scale); err != nil {
			return row{}, false, fmt.Errorf("iperf2's line %d: %w", number, err)
		}
	}
	if r.end < r.start {
		return row{}, false, fmt.Errorf("iperf2's line %d: the interval ends at %s s, before it starts", number, m[4])
	}
	if err := r.columns(m[11]); err != nil {
		return row{}, false, fmt.Errorf("iperf2's line %d: %w", number, err)
	}
	return r, true, nil
}

// unit returns how many bytes a unit is.
func unit(prefix, of string, bits float64) float64 {
	if of == "Bytes" {
		return math.Pow(1024, prefixes[prefix])
	}
	return math.Pow(bits, prefixes[prefix]) / 8
}

func scaled(word string, scale float64) (float64, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(v) || v < 0 || v*scale > greatest {
		return 0, fmt.Errorf("%.40s is not a valid measurement", word)
	}
	return v * scale, nil
}

// columns reads the columns after the rate.
func (r *row) columns(rest string) error {
	if m := datagrams.FindStringSubmatch(rest); m != nil {
		lost, errLost := strconv.ParseFloat(m[2], 64)
		total, errTotal := strconv.ParseFloat(m[3], 64)
		if errLost != nil || errTotal != nil || lost < 0 || total < lost || total > greatest {
			return fmt.Errorf("%.20s of %.20s datagrams lost, which is impossible", m[2], m[3])
		}
		r.lost, r.total = figure{lost, r.line}, figure{total, r.line}
		if m[1] != "" {
			jitter, err := scaled(m[1], 1e-3)
			if err != nil {
				return err
			}
			r.jitter = figure{jitter, r.line}
		}
		return nil
	}
	m := enhanced.FindStringSubmatch(rest)
	if m == nil {
		return nil
	}
	for _, field := range []struct {
		to    *figure
		word  string
		scale float64
	}{{&r.resent, m[1], 1}, {&r.cwnd, m[2], math.Pow(1024, prefixes[m[3]])}, {&r.rtt, m[4], 1e-6}} {
		v, err := scaled(field.word, field.scale)
		if err != nil {
			return err
		}
		*field.to = figure{v, r.line}
	}
	return nil
}

// samples returns the values of the intervals, each once.
func samples(rows []row, value func(row) figure) []assay.Sample {
	var all []assay.Sample
	for _, r := range rows {
		if f := value(r); f.line != 0 {
			all = append(all, assay.Sample{At: r.end, Value: f.value})
		}
	}
	return all
}

// loss returns the share of a row's datagrams that were lost.
func (r row) loss() figure {
	if !(r.total.value > 0) {
		return figure{}
	}
	return figure{r.lost.value / r.total.value, r.lost.line}
}
