package iperf2

import (
	"fmt"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// comma matches a line of -y C: time, local and remote end, connection id (-1 for
// the sum), interval, bytes, and bits per second; for UDP also jitter in ms,
// datagrams lost and sent, and datagrams out of order.
var comma = lazyregexp.New(`^(?:[+-]\d{4}:)?(\d{14})(?:\.\d+)?,([^,\s]{1,60}),(\d{1,5}),([^,\s]{1,60}),(\d{1,5}),(-?\d{1,9}),(\d+\.\d+)-(\d+\.\d+),(\d+),(\d+)` +
	`(?:,(-?[\d.]+),(-?\d+),(-?\d+),(-?[\d.]+),(-?\d+))?$`)

// isComma reports whether a line is from -y C.
func isComma(line string) bool {
	return len(line) > 30 && (line[0] == '1' || line[0] == '2' || line[0] == '+' || line[0] == '-') && strings.Count(line, ",") >= 8 && comma.MatchString(line)
}

// commaRow reads a line of -y C. Client and server print the same, so its origin is
// unknown.
func (l *log) commaRow(line string, number int) error {
	m := comma.FindStringSubmatch(line)
	protocol := "tcp"
	if m[11] != "" {
		protocol = "udp"
	}
	if l.protocol != "" && l.protocol != protocol {
		return fmt.Errorf("iperf2's line %d: TCP and UDP in one output", number)
	}
	l.protocol, l.comma = protocol, true
	r := row{id: strings.Join(m[2:6], " "), line: number}
	for _, field := range []struct {
		to    *float64
		word  string
		scale float64
	}{{&r.start, m[7], 1}, {&r.end, m[8], 1}, {&r.bytes, m[9], 1}, {&r.rate, m[10], 1. / 8}} {
		var err error
		if *field.to, err = scaled(field.word, field.scale); err != nil {
			return fmt.Errorf("iperf2's line %d: %w", number, err)
		}
	}
	if r.end < r.start {
		return fmt.Errorf("iperf2's line %d: the interval ends at %s s, before it starts", number, m[8])
	}
	if protocol == "udp" && m[13] != "-1" { // -1: the server never answered
		if err := r.columns(" " + m[11] + " ms " + m[12] + "/" + m[13] + " ("); err != nil {
			return fmt.Errorf("iperf2's line %d: %w", number, err)
		}
	}
	if m[6] == "-1" {
		r.id = "SUM"
		l.row(r)
		return nil
	}
	l.ends(m[3], m[5])
	if l.byID[r.id] == nil {
		c := &connection{local: m[2], port: m[3], remote: m[4], peerPort: m[5], known: true}
		l.name(r.id, c)
		at := stamp{m[1], r.start, r.end}
		if n := len(l.tests); n > 0 && l.at.beside(at) && l.tests[n-1].from(c) {
			l.tests[n-1].connections = append(l.tests[n-1].connections, c)
		} else {
			l.tests = append(l.tests, &test{connections: []*connection{c}})
		}
		l.at = at
	}
	l.row(r)
	return nil
}

// ends records which of two ports is the server's: the lower one, since systems
// give clients high ports.
func (l *log) ends(port, peer string) {
	mine, err := strconv.Atoi(port)
	other, errOther := strconv.Atoi(peer)
	switch {
	case err != nil || errOther != nil:
	case other < mine:
		l.target, l.client = peer, true
	case other > mine:
		l.listening = port
	}
}

// stamp records when the first line of a connection was printed.
type stamp struct {
	when       string
	start, end float64
}

// beside reports whether another connection was measured at the same time: its line
// has the same second and interval. Some versions print 1970 in every line.
func (s stamp) beside(other stamp) bool {
	return s.when == other.when && !strings.HasPrefix(s.when, "1970") && s.start == other.start && other.end-s.end < 1 && s.end-other.end < 1
}

// from reports whether a connection has the same endpoints as the first of a
// test.
func (t *test) from(c *connection) bool {
	if len(t.connections) == 0 {
		return false
	}
	first := t.connections[0]
	return first.local == c.local && first.remote == c.remote && (first.port == c.port || first.peerPort == c.peerPort)
}
