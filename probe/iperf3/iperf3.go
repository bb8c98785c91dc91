package iperf3

import (
	"bytes"
	"fmt"
	"strings"

	"assay"
)

const tool = "iperf3"

// Values of labels direction and job: data goes from client to server, or back.
const (
	forward = "forward"
	reverse = "reverse"
)

// Who printed the output.
const (
	client = "client"
	server = "server"
)

// stepMeasure is the step whose output holds the figures.
const stepMeasure = "measure"

// Parse reads one repeat of a trial, according to its settings; without any,
// one output of iperf3, 3.0 to 3.18, whoever ran it. It fails if iperf3 failed,
// if nothing arrived, or if less than one whole interval was printed. Label job
// tells the two directions of a bidirectional test apart.
func (*Probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	l, measured := linkOf(tr.Settings)
	if !measured {
		return parse(tr)
	}
	var all []assay.Measurement
	var err error
	switch tr.Settings["mode"] {
	case modeRTT:
		all, err = parseRTT(tr)
	case modeMTU:
		all, err = parsePathMTU(tr, l)
	default:
		all, err = parse(tr)
	}
	l.label(tr, all)
	return all, err
}

// parse reads one output of iperf3.
func parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("iperf3: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	text := step.Output.Stdout
	words := parseCommand(step.Argv)
	if words.protocol != "" && words.protocol != "TCP" && words.protocol != "UDP" {
		return nil, foreignProtocol(words.protocol)
	}
	var (
		t   test
		err error
	)
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		t, err = readJSON(text)
	} else {
		t, err = readText(string(text), words)
	}
	if err != nil {
		return nil, err
	}
	t.fill(words)
	return t.measurements()
}

// foreignProtocol is the error for anything but TCP and UDP.
func foreignProtocol(name string) error {
	return assay.WithHint("measure with TCP or UDP", "iperf3: protocol %.20s is not supported", name)
}

// failure returns the error for an error message of iperf3.
func failure(line int, said string) error {
	hint := ""
	switch {
	case strings.Contains(said, "unable to connect"):
		hint = "start iperf3 -s on the other host, and open port 5201 in its firewall"
	case strings.Contains(said, "busy running a test"):
		hint = "wait for the other test to end, or start a server on another port: iperf3 -s -p 5202"
	case strings.Contains(said, "interrupt"):
		hint = "let it run to its end"
	}
	return assay.WithHint(hint, "iperf3's line %d: %.200s", line, said)
}
