package iperf2

import (
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// log is what was collected from an output.
type log struct {
	protocol    string // tcp or udp; "" where the head is lost
	client      bool   // printed by the client of its tests
	target      string // port connected to
	listening   string // port listened on
	mss         figure
	tests       []*test
	byID        map[string]*connection // the latest of each id
	rows        int
	lastRow     int
	report      string // the id whose server report comes next
	comma       bool   // from -y C: which end printed it is unknown
	at          stamp  // when the last connection's first line was printed, of -y C
	trouble     string
	troubleLine int
}

// test groups related connections.
type test struct {
	connections []*connection
	sums        []row
	reported    bool // it has rows: another connection like its own starts another test
}

// connection is one line "connected with" and its rows.
type connection struct {
	local, remote  string
	port, peerPort string
	known          bool // its line was seen
	flipped        bool // (reverse): the end connected to sends
	both           bool // (full-duplex): starred rows are from server to client
	rows, back     []row
	arrived        row // the server's report
}

var (
	head       = lazyregexp.New(`^[ \t>]*(Client connecting to [^ ,]+,|Server listening on) (TCP|UDP) port (\d+)`)
	connected  = lazyregexp.New(`\[ *(\*?)(\d+) ?\] local ([^ %]+)(?:%\S+)? port (\d+) connected with ([^ %]+)(?:%\S+)? port (\d+)(.*)$`)
	segment    = lazyregexp.New(`(?:MSS size |MSS=|icwnd/mss/irtt=\d+/)(\d+)`)
	reportHead = lazyregexp.New(`\[ *\*?(\d+) ?\] Server Report:`)
	troubles   = lazyregexp.New(`(?i)^[ \t>]*(?:\[ *\d+ ?\] )?(?:(?:tcp )?connect failed: |tcp connect to \S+ port \d+ failed|connect error |bind failed: |error: ).*`)
)

func (l *log) line(line string, number int) error {
	if isComma(line) {
		return l.commaRow(line, number)
	}
	if r, ok, err := parseRow(line, number); err != nil || ok {
		if ok {
			l.row(r)
		}
		return err
	}
	if m := reportHead.FindStringSubmatch(line); m != nil {
		l.report = m[1]
		return nil
	}
	if m := connected.FindStringSubmatch(line); m != nil {
		l.connect(m, number)
		return nil
	}
	if m := head.FindStringSubmatch(line); m != nil {
		return l.open(m, number)
	}
	switch {
	case l.trouble == "" && troubles.MatchString(line):
		l.trouble, l.troubleLine = strings.TrimSpace(line), number
	case strings.Contains(line, "MSS size ") && strings.Contains(line, "(MTU "):
		// Without an MTU, the value is that of an unconnected socket.
		l.segmentSize(segment.FindStringSubmatch(line), number)
	}
	return nil
}

// open reads a head. A client that also listens (-d, -r) prints that, and its
// target, before anything is connected; a server that connects back prints that
// afterwards.
func (l *log) open(m []string, number int) error {
	protocol := strings.ToLower(m[2])
	if l.protocol != "" && l.protocol != protocol {
		return assay.WithHint("paste the output of one iperf at a time", "iperf2's line %d: TCP and UDP in one output", number)
	}
	l.protocol = protocol
	if strings.HasPrefix(m[1], "Client") {
		l.target = m[3]
		l.client = l.client || len(l.tests) == 0
	} else {
		l.listening = m[3]
	}
	return nil
}

func (l *log) segmentSize(m []string, number int) {
	if m == nil {
		return
	}
	if v, err := strconv.ParseFloat(m[1], 64); err == nil && v > 0 && v <= 1<<20 {
		l.mss = figure{v, number}
	}
}

// connect records a connection: in the current test, or in a new one if the
// current one already has rows and a similar connection.
func (l *log) connect(m []string, number int) {
	c := &connection{
		local: m[3], port: m[4], remote: m[5], peerPort: m[6], known: true,
		flipped: strings.Contains(m[7], "(reverse)") && m[1] == "", both: strings.Contains(m[7], "(full-duplex)"),
	}
	if l.outgoing(c) { // the other end knows it only after data arrives
		l.segmentSize(segment.FindStringSubmatch(m[7]), number)
	}
	l.name(m[2], c)
	if n := len(l.tests); n > 0 && (!l.tests[n-1].reported || !l.has(l.tests[n-1], c)) {
		l.tests[n-1].connections = append(l.tests[n-1].connections, c)
		return
	}
	l.tests = append(l.tests, &test{connections: []*connection{c}})
}

func (l *log) name(id string, c *connection) {
	if l.byID == nil {
		l.byID = map[string]*connection{}
	}
	l.byID[id] = c
}

// has reports whether a test already has a connection in that direction. A test has
// at most two directions, so its first and last connection are enough.
func (l *log) has(t *test, c *connection) bool {
	if len(t.connections) == 0 {
		return false
	}
	first, last := t.connections[0], t.connections[len(t.connections)-1]
	way := l.direction(c, false)
	return l.direction(first, false) == way || l.direction(last, false) == way
}

// row files a table row under its connection.
func (l *log) row(r row) {
	l.rows++
	l.lastRow = r.line
	if len(l.tests) == 0 {
		l.tests = append(l.tests, &test{})
	}
	last := l.tests[len(l.tests)-1]
	last.reported = true
	if r.id == "SUM" {
		last.sums = append(last.sums, r)
		return
	}
	c := l.byID[r.id]
	if c == nil { // the head is lost
		c = &connection{}
		l.name(r.id, c)
		last.connections = append(last.connections, c)
	}
	switch {
	case l.report == r.id:
		l.report, c.arrived = "", r
	case c.both && r.starred:
		c.back = append(c.back, r)
	default:
		c.rows = append(c.rows, r)
	}
}

// placed reports whether it is known which end of a connection is which.
func (l *log) placed(c *connection) bool {
	return c.known && (l.target != "" || l.listening != "" || c.port == usualPort || c.peerPort == usualPort)
}

// usualPort identifies the server if the heads are lost.
const usualPort = "5001"

// sends reports whether the local end sends; with back, whether it does so in
// the other half of a full-duplex connection.
func (l *log) sends(c *connection, back bool) bool {
	if c.both {
		return l.isClient(c) != back
	}
	return l.outgoing(c) != c.flipped
}

// isClient reports whether this output is from the test's client.
func (l *log) isClient(c *connection) bool {
	return l.client || l.listening == "" && l.target == "" && c.peerPort == usualPort
}

// outgoing reports whether the local end made the connection: the end that does
// so sends.
func (l *log) outgoing(c *connection) bool {
	switch {
	case l.target != "" && c.peerPort == l.target:
		return c.port != l.listening || l.client
	case l.listening != "" && c.port == l.listening:
		return false
	}
	return l.isClient(c)
}

// direction returns the direction of a connection's data, or forward if
// unknown, so that such connections form one flow.
func (l *log) direction(c *connection, back bool) string {
	if !l.placed(c) || l.sends(c, back) == l.isClient(c) {
		return forward
	}
	return reverse
}
