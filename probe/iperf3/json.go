package iperf3

import (
	"bytes"
	"fmt"
	"strings"

	"assay"
	"assay/internal/jsondoc"
)

// readJSON reads a document (-J), or a stream of events, one per line
// (--json-stream).
func readJSON(output []byte) (test, error) {
	t := test{}
	if bytes.HasPrefix(bytes.TrimSpace(output), []byte(`{"event"`)) {
		err := t.readEvents(output)
		return t, err
	}
	// iperf3's standard error comes after the document, or before it.
	end := bytes.LastIndexByte(output, '}') + 1
	doc, err := jsondoc.Parse(output[:end], 1)
	if err != nil {
		return t, assay.WithHint("include the document up to its last brace", "iperf3: %w", err)
	}
	var parts = map[string]jsondoc.Node{}
	doc.Fields(func(key string, value jsondoc.Node) {
		parts[key] = value
	})
	t.readTrouble(parts["error"])
	if !parts["start"].IsObject() && t.trouble == "" {
		return t, missing("a JSON document without start")
	}
	if err := t.readStart(parts["start"]); err != nil {
		return t, err
	}
	for _, i := range parts["intervals"].List() {
		if err := t.readInterval(i); err != nil {
			return t, err
		}
	}
	if err := t.readSockets(); err != nil {
		return t, err
	}
	err = t.readEnd(parts["end"])
	return t, err
}

// readEvents reads the events of one test. A truncated line ends it.
func (t *test) readEvents(output []byte) error {
	number, started := 0, false
	for line := range bytes.SplitSeq(output, []byte("\n")) {
		number++
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte(`{"event"`)) {
			continue
		}
		doc, err := jsondoc.Parse(line, number)
		if err != nil {
			break
		}
		data := doc.At("data")
		switch doc.At("event").Text() {
		case "start":
			if started {
				return missing("several tests in one output")
			}
			started, err = true, t.readStart(data)
		case "interval":
			err = t.readInterval(data)
		case "end":
			err = t.readEnd(data)
		case "error":
			t.readTrouble(data)
		}
		if err != nil {
			return err
		}
	}
	if !started {
		return missing("events without a start")
	}
	return t.readSockets()
}

func (t *test) readTrouble(n jsondoc.Node) {
	if said := n.Text(); said != "" && t.trouble == "" {
		t.interrupted, t.trouble, t.troubleLine = true, said, n.Line()
	}
}

func (t *test) readStart(n jsondoc.Node) error {
	t.version = strings.TrimPrefix(n.At("version").Text(), "iperf ")
	settings := n.At("test_start")
	t.protocol = settings.At("protocol").Text()
	if t.protocol == "" {
		t.protocol = "TCP"
	}
	t.role = client
	if n.At("accepted_connection").Exists() {
		t.role = server
	}
	t.readPeers(n)
	for _, field := range []struct {
		at   jsondoc.Node
		name string
		to   *float64
	}{
		{settings.At("omit"), "omit", &t.omit},
		{settings.At("blksize"), "blksize", &t.block},
		{settings.At("target_bitrate"), "target_bitrate", &t.target},
		{settings.At("duration"), "duration", &t.asked},
	} {
		v, ok, err := field.at.NotNegative(field.name, 1)
		if err != nil {
			return fmt.Errorf("iperf3's %w", err)
		}
		if ok && v <= greatest {
			*field.to = v
		}
	}
	if v, ok := settings.At("reverse").Number(); ok {
		t.reversed = v != 0
	}
	if v, ok := settings.At("bidir").Number(); ok {
		t.bidir = v != 0
	}
	t.streams = 1
	if v, ok := settings.At("num_streams").Number(); ok && v >= 1 && v <= 1024 {
		t.streams = int(v)
	}
	for _, key := range []string{"tcp_mss_default", "tcp_mss"} {
		mss, ok, err := n.At(key).NotNegative(key, 1)
		if err != nil {
			return fmt.Errorf("iperf3's %w", err)
		}
		if ok && mss > 0 && mss <= 1<<20 {
			t.mss = figure{mss, n.At(key).Line()}
		}
	}
	return nil
}

// readPeers finds which end is which: the local end of a client's output is the
// client.
func (t *test) readPeers(n jsondoc.Node) {
	local, remote := "", n.At("connecting_to", "host").Text()
	if pairs := n.At("connected").List(); len(pairs) > 0 {
		local, remote = pairs[0].At("local_host").Text(), pairs[0].At("remote_host").Text()
	}
	if t.role == server {
		local, remote = remote, local
	}
	t.client, t.server = local, remote
}

// readInterval reads one interval. In a bidirectional test the second direction
// has a second sum: under the same name before 3.11, under its own name since.
func (t *test) readInterval(n jsondoc.Node) error {
	sums := 0
	var streams jsondoc.Node
	var failed error
	n.Fields(func(key string, value jsondoc.Node) {
		switch key {
		case "streams":
			streams = value
		case "sum", "sum_bidir_reverse":
			at := sums
			sums++
			if !t.bidir && at == 0 && t.reversed {
				at = 1
			}
			if at > 1 || failed != nil {
				return
			}
			t.bidir = t.bidir || sums > 1
			failed = t.flows[at].readSum(value)
		}
	})
	if streams.Exists() {
		t.sockets = streams
	}
	return failed
}

// readSockets reads the kernel's socket state in the last interval.
func (t *test) readSockets() error {
	var windows [2]figure
	var count [2]float64
	for _, s := range t.sockets.List() {
		at := t.sends(s)
		window, ok, err := s.At("snd_cwnd").NotNegative("snd_cwnd", 1)
		if err != nil {
			return fmt.Errorf("iperf3's %w", err)
		}
		if ok && window > 0 && window <= greatest {
			windows[at] = figure{windows[at].value + window, s.At("snd_cwnd").Line()}
			count[at]++
		}
		if v, ok := s.At("pmtu").Number(); ok && v > 0 && v <= 1<<20 {
			t.flows[at].pmtu = v
		}
	}
	for at, w := range windows {
		if count[at] > 0 {
			t.flows[at].cwnd = figure{w.value / count[at], w.line}
		}
	}
	return nil
}

// sends returns the flow of a stream: 1 for reverse.
func (t *test) sends(stream jsondoc.Node) int {
	back := t.reversed
	if sender, ok := stream.At("sender").Bool(); ok && t.bidir {
		back = sender == (t.role == server)
	}
	if back {
		return 1
	}
	return 0
}
