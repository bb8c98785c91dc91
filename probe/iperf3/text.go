package iperf3

import (
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// text is what was collected from human-readable output.
type text struct {
	test
	rows      []row // intervals
	summaries []row
	wired     int // streams reported as connected
	peerLocal string
	peer      string
	columns   string // head of the first table
	separated bool   // a line of dashes came just before
	summing   bool
	met       bool // client and server have met
	udp       bool
}

var (
	connected  = lazyregexp.New(`\[ *\d+ ?\] local (\S+) port \d+ connected to (\S+) port \d+`)
	starting   = lazyregexp.New(`Starting Test: protocol: (\w+), (\d+) streams?, (\d+) byte blocks, omitting (\d+) seconds`)
	segment    = lazyregexp.New(`(?:TCP MSS: |Control connection MSS )(\d+)`)
	target     = lazyregexp.New(`Target Bitrate: (\d+)`)
	busy       = lazyregexp.New(`CPU Utilization: \w+/\w+ (\d+(?:\.\d+)?)%.*, \w+/\w+ (\d+(?:\.\d+)?)%`)
	congestion = lazyregexp.New(`snd_tcp_congestion (\w+)`)
	said       = lazyregexp.New(`iperf3: ((?:error|interrupt) - .*|the (?:client|server) has .*)`)
)

// readText reads an output up to its end, or to the server's output in it.
func readText(output string, words command) (test, error) {
	t := text{}
	number, begun := 0, ""
	for line := range strings.SplitSeq(output, "\n") {
		number++
		line, begun = begun+strings.Trim(line, " \t\r"), ""
		if row, broken := strings.CutSuffix(line, "="); broken && strings.Contains(line, "/sec") {
			begun = row // broken by mail (RFC 2045, quoted-printable)
			continue
		}
		if strings.Contains(line, "iperf Done.") || strings.HasSuffix(line, "Server output:") {
			break
		}
		if err := t.line(line, number); err != nil {
			return test{}, err
		}
	}
	t.finish(words)
	return t.test, nil
}

func (t *text) line(line string, number int) error {
	if r, ok, err := parseRow(line, number); err != nil || ok {
		if ok {
			t.row(r)
		}
		return err
	}
	switch {
	case strings.Contains(line, "- - - - -"), strings.HasPrefix(line, summing):
		t.separated = true
	case strings.Contains(line, "Interval") && strings.Contains(line, "Transfer"):
		t.summing = t.summing || t.separated
		t.udp = t.udp || strings.Contains(line, "Datagrams")
		if t.columns == "" {
			t.columns = line
		}
	case strings.Contains(line, "local "):
		if m := connected.FindStringSubmatch(line); m != nil {
			t.wired++
			t.peerLocal, t.peer = m[1], m[2]
		}
	case strings.Contains(line, "Connecting to host "), strings.HasPrefix(line, "Accepted connection from "):
		return t.meet(line, number)
	case strings.HasPrefix(line, "Server listening on "):
		t.role = server
	case strings.HasPrefix(line, "iperf3: "):
		t.said(line, number)
	case strings.HasPrefix(line, "iperf 3."):
		if m := versioned.FindStringSubmatch(line); m != nil {
			t.version = m[1]
		}
	default:
		t.verbose(line, number)
	}
	return nil
}

// meet reads which ends met. A second meeting is a second test: there is no
// telling which of the two was meant.
func (t *text) meet(line string, number int) error {
	m, role := connecting.FindStringSubmatch(line), client
	if m == nil {
		m, role = accepted.FindStringSubmatch(line), server
	}
	if m == nil {
		return nil
	}
	if t.met {
		return assay.WithHint("paste the output of one iperf3 at a time", "iperf3's line %d: several tests in one output", number)
	}
	t.met, t.role = true, role
	if role == client {
		t.server = m[1]
	} else {
		t.client = m[1]
	}
	return nil
}

// said keeps iperf3's own messages, including that the other end has ended.
func (t *text) said(line string, number int) {
	if m := said.FindStringSubmatch(line); m != nil && t.trouble == "" {
		t.interrupted, t.trouble, t.troubleLine = true, m[1], number
	}
}

// verbose reads what option -V adds, and the direction of the data.
func (t *text) verbose(line string, number int) {
	switch {
	case strings.Contains(line, "Reverse mode, remote host "):
		t.reversed = true
	case strings.Contains(line, "Starting Test: "):
		if m := starting.FindStringSubmatch(line); m != nil {
			t.protocol = m[1]
			t.streams, _ = strconv.Atoi(m[2])
			t.block, _ = scaled(m[3], 1)
			t.omit, _ = scaled(m[4], 1)
		}
	case strings.Contains(line, " MSS"):
		if m := segment.FindStringSubmatch(line); m != nil {
			if v, err := scaled(m[1], 1); err == nil && v > 0 {
				t.mss = figure{v, number}
			}
		}
	case strings.Contains(line, "Target Bitrate: "):
		if m := target.FindStringSubmatch(line); m != nil {
			t.target, _ = scaled(m[1], 1)
		}
	case strings.Contains(line, "CPU Utilization: "):
		if m := busy.FindStringSubmatch(line); m != nil {
			local, errLocal := scaled(m[1], .01)
			remote, errRemote := scaled(m[2], .01)
			if errLocal == nil && errRemote == nil {
				t.cpu = figure{max(local, remote), number}
			}
		}
	case strings.HasPrefix(line, "snd_tcp_congestion "):
		if m := congestion.FindStringSubmatch(line); m != nil {
			t.congestion = m[1]
		}
	}
}

func (t *text) row(r row) {
	t.separated = false
	t.udp = t.udp || r.udp
	switch {
	case r.omitted:
		t.omit = max(t.omit, r.end)
	case t.summing || r.side != "":
		t.summaries = append(t.summaries, r)
	default:
		t.rows = append(t.rows, r)
	}
}

// finish puts the rows together, since only now is it known what the test was.
func (t *text) finish(words command) {
	if t.protocol == "" {
		t.protocol = "TCP"
		if t.udp || words.protocol == "UDP" {
			t.protocol = "UDP"
		}
	}
	all := append(append([]row{}, t.rows...), t.summaries...)
	for _, r := range all {
		if r.role != "" {
			t.bidir = true
			t.role = map[byte]string{'C': client, 'S': server}[r.role[3]]
		}
	}
	if t.role == "" && words.client != "" {
		t.role = client
	}
	t.begun = (t.wired > 0 || t.met) && !t.summing && !ended(t.rows)
	t.peers()
	if !t.bidir && !t.reversed {
		t.reversed = words.reverse || t.role == server && t.serverSends()
	}
	for i, direction := range []string{forward, reverse} {
		intervals, rest := t.of(t.rows, direction), t.of(t.summaries, direction)
		streams := max(streamsOf(intervals), streamsOf(rest), t.connections())
		t.flows[i].gather(intervals, rest, streams, t.protocol == "TCP")
		t.streams = max(t.streams, streams)
	}
	t.streams = max(t.streams, words.streams, 1)
}

// ended reports whether the last row covers less time than the first: the
// milliseconds between the last whole second and the end of the test.
func ended(rows []row) bool {
	if len(rows) == 0 {
		return false
	}
	first, last := rows[0], rows[len(rows)-1]
	return last.end-last.start < (first.end-first.start)/2
}

// connections returns how many streams were reported as connected in each
// direction: if the rows are cut off, some have none yet.
func (t *text) connections() int {
	if t.bidir {
		return (t.wired + 1) / 2
	}
	return t.wired
}

// peers finds which end is which: the local end of a client's output is the
// client.
func (t *text) peers() {
	if t.peer == "" {
		return
	}
	switch {
	case t.role == client, t.peer == t.peerLocal: // if both are the same, the order does not matter
		t.client, t.server = t.peerLocal, t.peer
	case t.role == server:
		t.client, t.server = t.peer, t.peerLocal
	}
}

// serverSends reports whether a server's table has the columns of a sender.
func (t *text) serverSends() bool {
	return strings.Contains(t.columns, "Retr") || strings.Contains(t.columns, "Total Datagrams") && !strings.Contains(t.columns, "Jitter")
}

// of returns the rows of one direction.
func (t *text) of(rows []row, direction string) []row {
	var found []row
	for _, r := range rows {
		back := r.role == "RX-C" || r.role == "TX-S"
		if r.role == "" {
			back = t.reversed
		}
		if back == (direction == reverse) {
			found = append(found, r)
		}
	}
	return found
}

// streamsOf counts the streams in rows.
func streamsOf(rows []row) int {
	seen := map[string]bool{}
	for _, r := range rows {
		if r.id != sum {
			seen[r.id] = true
		}
	}
	return len(seen)
}
