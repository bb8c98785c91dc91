package s3

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"assay"
	"assay/stacks/s3/agent"
	"assay/stacks/s3/loadgen"
)

// percentiles of the latency that are reported, if there are enough operations.
var percentiles = []float64{50, 90, 95, 99, 99.9}

// stemOf returns the prefix of an operation's metrics.
func stemOf(op loadgen.Op) string { return "object." + strings.ToLower(string(op)) + "." }

// replyOf parses the agent's output, and returns the failure that it reports.
func replyOf(step *assay.Step) (agent.Reply, error) {
	reply, _, ok := agent.ReadReply(step.Output.Stdout)
	switch {
	case ok && reply.Failed != nil:
		return reply, assay.WithHint(reply.Failed.Hint, "%s", reply.Failed.Text)
	case ok:
		return reply, nil
	}
	said := strings.Join(strings.Fields(string(step.Output.Stderr)), " ")
	if said = said[:min(len(said), 200)]; said == "" {
		return reply, fmt.Errorf("the agent: %w (exit %d)", assay.ErrNoOutput, step.Output.Exit)
	}
	return reply, fmt.Errorf("the agent: %w (exit %d): %s", assay.ErrNoOutput, step.Output.Exit, strings.ToValidUTF8(said, ""))
}

// Parse reads the result. It fails if an object came back different from what
// was written, if every operation failed, or if no later operation could have
// done better.
func (probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, fmt.Errorf("s3: %w: the transcript has no step %q", assay.ErrNoOutput, stepMeasure)
	}
	reply, err := replyOf(step)
	if err != nil {
		return nil, err
	}
	_, line, _ := agent.ReadReply(step.Output.Stdout)
	r := reply.Result
	if r == nil || r.Schema != loadgen.Schema {
		return nil, fmt.Errorf("s3: %w: the reply has no result in the form %q", assay.ErrNoOutput, loadgen.Schema)
	}
	if err := sane(*r); err != nil {
		return nil, err
	}
	f := figures{result: *r, labels: labelsOf(tr, *r), line: line}
	if err := f.failures(); err != nil {
		return nil, err
	}
	for _, op := range r.Ops {
		f.operation(op)
	}
	f.rest()
	if lead := leadOf(step.Output, reply); lead > 0 {
		f.add("tool.lead", lead, assay.Seconds, f.labels)
	}
	return f.found, nil
}

// leadOf returns how many seconds after the start of its command the load began:
// the command's time, less the load and what followed it. That includes the way
// back, which takes less time than what the agent cannot see: the way there and the
// start of the program. It is 0 if the agent's times are impossible.
func leadOf(out assay.Output, reply agent.Reply) float64 {
	lead := out.Elapsed.Seconds() - reply.Result.Elapsed - reply.Tail
	if !(reply.Lead > 0) || !(lead >= reply.Lead) || math.IsInf(lead, 0) {
		return 0
	}
	return lead
}

// sane rejects numbers that no run produces, as in an edited transcript.
func sane(r loadgen.Result) error {
	good := func(v float64) bool { return v >= 0 && !math.IsInf(v, 0) }
	if !good(r.Elapsed) || r.Elapsed > 1e9 || r.Elapsed == 0 || r.Unsent < 0 {
		return fmt.Errorf("s3: a run of %g s: %w", r.Elapsed, assay.ErrNoOutput)
	}
	for _, f := range append(append([]loadgen.Figure{}, r.Ops...), r.Endpoints...) {
		if f.Ops < 0 || f.Bytes < 0 || f.Keys < 0 || f.Latency == nil || f.First == nil {
			return fmt.Errorf("s3: the figures of %q are inconsistent", f.Op)
		}
		for _, e := range f.Errors {
			if e.Count < 0 {
				return fmt.Errorf("s3: %d failures of %q are inconsistent", e.Count, f.Op)
			}
		}
	}
	for _, c := range r.Clients {
		if !good(c.User) || !good(c.System) || !good(c.Elapsed) || c.CPUs < 0 {
			return errors.New("s3: the client's own figures are inconsistent")
		}
	}
	return nil
}

// figures turns a result into measurements.
type figures struct {
	result loadgen.Result
	labels map[string]string
	line   int
	found  []assay.Measurement
}

// failures returns why a repeat with failed operations is not a measurement: a
// single object came back corrupt, or no operation succeeded.
func (f *figures) failures() error {
	done, worst := int64(0), loadgen.ErrorCount{}
	for _, op := range f.result.Ops {
		done += op.Ops
		for _, e := range op.Errors {
			if e.Class == loadgen.Corrupt && e.Count > 0 {
				return assay.WithHint(e.Class.Hint(), "%d objects came back corrupt: %s", e.Count, e.Example)
			}
			if e.Count > worst.Count {
				worst = e
			}
		}
	}
	switch {
	case done > 0:
		return nil
	case worst.Count > 0:
		return assay.WithHint(worst.Class.Hint(), "all %d operations failed: %s", f.result.Failures(), worst.Example)
	}
	return fmt.Errorf("s3: %w: no operation completed (%s)", assay.ErrNoOutput, cmp.Or(f.result.Stopped, "no reason given"))
}

func (f *figures) add(metric string, value float64, unit assay.Unit, labels map[string]string) *assay.Measurement {
	f.found = append(f.found, assay.Measurement{Metric: metric, Value: value, Unit: unit, Labels: labels, Line: f.line})
	return &f.found[len(f.found)-1]
}

// operation adds the figures of one operation over all endpoints.
func (f *figures) operation(of loadgen.Figure) {
	if stemOf(of.Op) == "object.." || !known(of.Op) {
		return
	}
	stem, labels := stemOf(of.Op), f.with("job", strings.ToLower(string(of.Op)), "op", string(of.Op))
	elapsed := f.result.Elapsed
	if of.Ops > 0 {
		f.add(stem+"ops", float64(of.Ops)/elapsed, assay.PerSecond, labels).Samples = f.samples(of, func(s loadgen.Second) int64 { return s.Ops })
	}
	if of.Bytes > 0 && (of.Op == loadgen.Put || of.Op == loadgen.Get) {
		f.add(stem+"throughput", float64(of.Bytes)/elapsed, assay.BytesPerSecond, labels).Samples = f.samples(of, func(s loadgen.Second) int64 { return s.Bytes })
	}
	f.latencies(stem, of, labels)
	if of.Op == loadgen.List && of.Ops > 0 {
		f.add(stem+"keys", float64(of.Keys)/float64(of.Ops), assay.One, labels)
	}
	f.add(stem+"requests", float64(of.Ops), assay.One, labels)
	failed := int64(0)
	for _, e := range of.Errors {
		failed += e.Count
	}
	f.add(stem+"errors", float64(failed), assay.One, labels)
	for _, e := range of.Errors {
		f.add("object.class.errors", float64(e.Count), assay.One, f.with("job", strings.ToLower(string(of.Op)), "op", string(of.Op), "class", string(e.Class)))
	}
}

// known reports whether there is such an operation.
func known(op loadgen.Op) bool {
	for _, o := range loadgen.Ops {
		if o == op {
			return true
		}
	}
	return false
}

// samples returns the rates of a run's whole seconds: the last one is cut
// short.
func (f *figures) samples(of loadgen.Figure, amount func(loadgen.Second) int64) []assay.Sample {
	var out []assay.Sample
	for i := range min(len(of.Seconds), int(f.result.Elapsed)) {
		out = append(out, assay.Sample{At: float64(i + 1), Value: float64(max(amount(of.Seconds[i]), 0))})
	}
	return out
}

func (f *figures) latencies(stem string, of loadgen.Figure, labels map[string]string) {
	h := of.Latency
	if h.Count() == 0 {
		return
	}
	mean := f.add(stem+"latency.mean", h.Mean().Seconds(), assay.Seconds, labels)
	mean.Histogram = h.Bins()
	f.add(stem+"latency.stddev", h.Deviation().Seconds(), assay.Seconds, labels)
	f.add(stem+"latency.min", h.Min().Seconds(), assay.Seconds, labels)
	f.add(stem+"latency.max", h.Max().Seconds(), assay.Seconds, labels)
	for _, p := range percentiles {
		if float64(h.Count())*(1-p/100) >= 1 { // else it equals the maximum
			f.add(assay.PercentileMetric(stem, p), h.At(p).Seconds(), assay.Seconds, labels)
		}
	}
	if first := of.First; first.Count() > 0 {
		f.add(stem+"first_byte.mean", first.Mean().Seconds(), assay.Seconds, labels)
		f.add(stem+"first_byte.p50", first.At(50).Seconds(), assay.Seconds, labels)
		if first.Count() >= 100 {
			f.add(stem+"first_byte.p99", first.At(99).Seconds(), assay.Seconds, labels)
		}
	}
}

// rest adds the figures that belong to no single operation.
func (f *figures) rest() {
	r := f.result
	if distinct(r) > 1 {
		for _, of := range r.Endpoints {
			if of.Ops == 0 {
				continue
			}
			labels := f.with("op", string(of.Op), "endpoint", hostOf(of.Endpoint))
			f.add("object.endpoint.ops", float64(of.Ops)/r.Elapsed, assay.PerSecond, labels)
			f.add("object.endpoint.throughput", float64(of.Bytes)/r.Elapsed, assay.BytesPerSecond, labels)
			f.add("object.endpoint.latency.mean", of.Latency.Mean().Seconds(), assay.Seconds, labels)
		}
	}
	if r.Delay != nil {
		f.add("object.unsent", float64(r.Unsent), assay.One, f.labels)
		f.add("object.delay.max", r.Delay.Max().Seconds(), assay.Seconds, f.labels)
	}
	for _, c := range r.Clients {
		f.add("object.cpu", c.Busy(), assay.One, f.with("cpus", fmt.Sprint(c.CPUs)))
	}
	f.add("tool.duration", r.Elapsed, assay.Seconds, f.labels)
}

// distinct returns the number of endpoints.
func distinct(r loadgen.Result) int {
	seen := map[string]bool{}
	for _, f := range r.Endpoints {
		seen[f.Endpoint] = true
	}
	return len(seen)
}
