package iperf2

import (
	"fmt"
	"strings"

	"assay"
)

const tool = "iperf2"

// Values of label direction: data goes from client to server, or back.
const (
	forward = "forward"
	reverse = "reverse"
)

type reader struct{}

// New returns the reader of iperf 2's output.
func New() assay.Measurer { return reader{} }

// Parse reads one output of iperf 2. It fails if iperf failed or nothing was
// transferred.
func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step("measure")
	if step == nil {
		return nil, fmt.Errorf("iperf2: %w: the transcript has no step %q", assay.ErrNoOutput, "measure")
	}
	var l log
	number := 0
	for line := range strings.SplitSeq(string(step.Output.Stdout), "\n") {
		number++
		if err := l.line(strings.TrimRight(line, " \t\r"), number); err != nil {
			return nil, err
		}
	}
	all := l.measurements(targetOf(step.Argv, l.protocol))
	if len(all) > 0 {
		return all, nil
	}
	switch {
	case l.trouble != "":
		return nil, assay.WithHint("start iperf -s on the other host, and open port 5001 in its firewall", "iperf2's line %d: %.200s", l.troubleLine, l.trouble)
	case l.rows > 0:
		return nil, fmt.Errorf("iperf2's line %d: nothing was transferred", l.lastRow)
	}
	return nil, assay.WithHint("include the output up to its last line", "iperf2: %w: the output has no line of its table", assay.ErrNoOutput)
}
