package warp

import (
	"math"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

const miB = 1 << 20

// What a human reads in each file.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		file, command string
		want          map[string]float64 // all of job
		job           string
		labels        map[string]string
		jobs          string // of the whole output, in order
	}{
		{"mixed-1.x.txt", "warp mixed --host nas:9000 --access-key K --secret-key S", map[string]float64{
			"object.put.throughput": 356.93 * miB, "object.put.ops": 35.69, "object.put.ops.min": 26.18, "object.put.latency.mean": .2168, "object.put.latency.p50": .2151,
			"object.put.latency.p90": .2601, "object.put.latency.p99": .3091, "object.put.latency.min": .1033, "object.put.latency.max": .8332,
			"object.put.latency.stddev": .0348, "tool.duration": 297,
		}, "put", map[string]string{"tool": "warp", "op": "PUT", "loop": "closed", "concurrency": "20", "endpoint": "nas:9000", "mixed": "yes"}, "delete get put head"},
		{"get-details-1.x.txt", "", map[string]float64{
			"object.get.throughput": 181.90 * miB, "object.get.ops": 121.27, "object.get.ops.min": 35.61, "object.get.latency.mean": .057, "object.get.latency.p50": .0592,
			"object.get.latency.p90": .0889, "object.get.latency.p99": .1995, "object.get.latency.min": .0145, "object.get.latency.max": 1.2107,
			"object.get.latency.stddev": .0518, "object.get.first_byte.mean": .051, "object.get.requests": 1815, "tool.duration": 12,
		}, "get", map[string]string{"object_size": "1572864", "concurrency": "7"}, "get"},
		{"put-clients-1.x.txt", "warp put --obj.size 1M --concurrent 64", map[string]float64{
			"object.put.throughput": 473.72 * miB, "object.put.ops": 496.73, "object.put.ops.min": 295.25, "object.put.latency.mean": 1.147, "object.put.latency.p50": 1.1007,
			"object.put.latency.p90": 1.8355, "object.put.latency.p99": 2.6611, "object.put.latency.min": .0486, "object.put.latency.max": 5.4313,
			"object.put.latency.stddev": .5284, "tool.duration": 62,
		}, "put", map[string]string{"concurrency": "512", "object_size": "1000000"}, "put"},
		{"get-details-0.6.txt", "", map[string]float64{
			"object.get.throughput": 1807.31 * miB, "object.get.ops": 180.73, "object.get.ops.min": 30.58, "object.get.latency.mean": .111, "object.get.latency.p50": .105,
			"object.get.latency.p90": .173, "object.get.latency.p99": .478, "object.get.latency.min": .015, "object.get.latency.max": 1.904,
			"object.get.latency.stddev": .104, "object.get.first_byte.mean": .033, "object.get.requests": 5334, "tool.duration": 30,
		}, "get", map[string]string{"object_size": "10485760", "concurrency": "20", "mixed": ""}, "put get"},
		{"mixed-details-0.7.txt", "", map[string]float64{
			"object.head.ops": 18.63, "object.head.latency.mean": .015, "object.head.latency.p50": .011, "object.head.latency.p90": .034,
			"object.head.latency.p99": .08, "object.head.latency.max": .245, "object.head.latency.stddev": .017, "object.head.requests": 5587, "tool.duration": 300,
		}, "head", map[string]string{"share": "30.2", "op": "STAT", "object_size": ""}, "delete get put head"},
		{"mixed-0.7.txt", "", map[string]float64{
			"object.get.throughput": 279.85 * miB, "object.get.ops": 27.99, "tool.duration": 300,
		}, "get", map[string]string{"share": "45", "concurrency": "20", "mixed": "yes"}, "delete get put head"},
		{"mixed-hosts-0.4.txt", "", map[string]float64{ // summed over the hosts
			"object.get.throughput": (64.36 + 68.60 + 65.98 + 64.65) * miB, "object.get.ops": 6.44 + 6.86 + 6.60 + 6.47,
			"object.get.latency.mean": .347, "object.get.latency.p50": .03, "object.get.latency.p90": 1.024, "object.get.latency.p99": 1.46,
			"object.get.latency.min": .015, "object.get.latency.max": 2.5, "object.get.first_byte.mean": .1, "object.get.requests": 6368, "tool.duration": 242,
		}, "get", map[string]string{"share": "45.0", "concurrency": "20"}, "delete get"},
		{"mixed-errors-0.3.txt", "", map[string]float64{
			"object.get.throughput": 762.01 * miB, "object.get.ops": 76.20, "object.get.requests": 9137, "object.get.errors": 1, "tool.duration": 120.021,
		}, "get", nil, "head delete get put"},
		{"put-endpoints-2019.txt", "", map[string]float64{
			"object.put.throughput": 39.5 * miB, "object.put.ops": 39.5, "tool.duration": 62.244,
		}, "put", map[string]string{"hosts": "7", "concurrency": "12"}, "put"},
		{"randsize-1.x-cut.txt", "warp mixed --concurrent=200 --obj.randsize --obj.size=32MiB", map[string]float64{ // speeds by size are not latencies
			"object.put.throughput": 836.27 * miB, "object.put.ops": 146.59, "object.put.requests": 17750, "tool.duration": 118,
		}, "put", map[string]string{"object_size": "5974694"}, "put"},
		{"stat-1.0.txt", "", map[string]float64{"object.head.ops": 193.2, "object.head.ops.min": 189, "tool.duration": 29}, "head", map[string]string{"concurrency": "20"}, "head"},
		{"put-one-1.8.txt", "warp put --rps-limit=30 --host=https://user:secret@s3.lan:443/x --duration 10s", map[string]float64{
			"object.put.throughput": 28.41 * miB, "object.put.ops": 28.41, "object.put.latency.mean": .035, "object.put.latency.p50": .0361,
			"object.put.latency.p90": .04, "object.put.latency.p99": .0435, "object.put.latency.min": .0287, "object.put.latency.max": .0533, "tool.duration": 7,
		}, "put", map[string]string{"concurrency": "1", "rate": "30", "endpoint": "s3.lan:443"}, "put"},
		{"analyze-0.9-from-source.json", "", map[string]float64{
			"object.put.throughput": 103179878.4, "object.put.ops": 98.4, "object.put.latency.mean": .203, "object.put.latency.p50": .2,
			"object.put.latency.p90": .251, "object.put.latency.p99": .31, "object.put.latency.min": .044, "object.put.latency.max": .512,
			"object.put.requests": 5909, "object.put.errors": 0, "tool.duration": 60,
		}, "put", map[string]string{"object_size": "1048576", "concurrency": "20", "hosts": "1", "percentiles": ""}, "put"},
		{"realtime-1.3-from-source.json", "", map[string]float64{
			"object.get.throughput": 6316621824. / 60, "object.get.ops": 100.4, "object.get.latency.mean": (6000*.1 + 24*2) / 6024,
			"object.get.latency.p50": .945, "object.get.latency.p90": 1.16, "object.get.latency.p99": 1.3, "object.get.latency.min": .0205,
			"object.get.latency.max": 2.5, "object.get.first_byte.mean": (6000*.01 + 24*.26) / 6024,
			"object.get.requests": 6024, "object.get.errors": 2, "tool.duration": 60,
		}, "get", map[string]string{"object_size": "1048576", "concurrency": "16"}, "get"},
	} {
		t.Run(c.file, func(t *testing.T) {
			text := captured.Text(t, c.file)
			got, err := New().Parse(captured.Output(text, c.command))
			if err != nil {
				t.Fatal(err)
			}
			var jobs []string
			seen := map[string]bool{}
			lines := strings.Split(text, "\n")
			for _, m := range got {
				job := m.Labels["job"]
				if len(jobs) == 0 || jobs[len(jobs)-1] != job {
					jobs = append(jobs, job)
				}
				if m.Line < 1 || m.Line > len(lines) {
					t.Errorf("%s stands on line %d of %d", m.Metric, m.Line, len(lines))
				}
				for key, v := range m.Labels {
					if strings.Contains(v, "secret") || v == "" {
						t.Errorf("label %s is %q", key, v)
					}
				}
				if job != c.job {
					continue
				}
				seen[m.Metric] = true
				if want, ok := c.want[m.Metric]; !ok || math.Abs(m.Value-want) > 1e-9*want {
					t.Errorf("%s = %v, want %v", m.Metric, m.Value, want)
				}
				for name, want := range c.labels {
					if m.Labels[name] != want && name != "percentiles" {
						t.Errorf("%s: label %s is %q, want %q", m.Metric, name, m.Labels[name], want)
					}
				}
			}
			for metric := range c.want {
				if !seen[metric] {
					t.Errorf("%s is missing", metric)
				}
			}
			if got := strings.Join(jobs, " "); got != c.jobs {
				t.Errorf("jobs %s, want %s", got, c.jobs)
			}
		})
	}
}

func value(t *testing.T, ms []assay.Measurement, metric string) assay.Measurement {
	t.Helper()
	for _, m := range ms {
		if m.Metric == metric {
			return m
		}
	}
	t.Fatalf("no %s", metric)
	return assay.Measurement{}
}

func TestLinesAndWindows(t *testing.T) {
	ms, err := New().Parse(captured.Output(captured.Text(t, "realtime-1.3-from-source.json"), ""))
	if err != nil {
		t.Fatal(err)
	}
	if p99 := value(t, ms, "object.get.latency.p99"); p99.Labels["percentiles"] != "means of 2 windows" {
		t.Errorf("labels %v", p99.Labels)
	}
	if mean := value(t, ms, "object.get.latency.mean"); mean.Labels["percentiles"] != "" {
		t.Errorf("a mean is labelled as a percentile: %v", mean.Labels)
	}
	ms, err = New().Parse(captured.Output(captured.Text(t, "mixed-1.x.txt"), ""))
	if err != nil {
		t.Fatal(err)
	}
	if m := value(t, ms, "object.get.ops"); m.Line != 28 {
		t.Errorf("GET's obj/s stand on line %d, want 28", m.Line)
	}
	ms, err = New().Parse(captured.Output(captured.Text(t, "analyze-0.9-from-source.json"), ""))
	if err != nil {
		t.Fatal(err)
	}
	if s := value(t, ms, "object.put.throughput").Samples; len(s) != 2 || s[1] != (assay.Sample{At: 2, Value: 102760448}) {
		t.Errorf("samples %v", s)
	}
}

// The same figures, whatever surrounds them and however lines end.
func TestNoise(t *testing.T) {
	text := captured.Text(t, "mixed-1.x.txt")
	want, err := New().Parse(captured.Output(text, ""))
	if err != nil {
		t.Fatal(err)
	}
	for name, noisy := range map[string]string{
		"CRLF":        strings.ReplaceAll(text, "\n", "\r\n"),
		"prose after": text + "\nThat was fast! Errors: none that we saw.\n * and more to come\n| a | table |\nThroughput: great\n",
	} {
		got, err := New().Parse(captured.Output(noisy, ""))
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %d measurements, want %d, error %v", name, len(got), len(want), err)
		}
		for i := range got {
			if got[i].Metric != want[i].Metric || got[i].Value != want[i].Value || got[i].Line != want[i].Line {
				t.Errorf("%s: %+v, want %+v", name, got[i], want[i])
			}
		}
	}
}

// Wherever an output is cut off, the remaining figures are right.
func TestTruncated(t *testing.T) {
	for _, file := range []string{"mixed-1.x.txt", "get-details-0.6.txt", "put-endpoints-2019.txt", "mixed-hosts-0.4.txt"} {
		text := captured.Text(t, file)
		whole, err := New().Parse(captured.Output(text, ""))
		if err != nil {
			t.Fatal(err)
		}
		true_ := map[string]float64{}
		for _, m := range whole {
			true_[m.Labels["job"]+m.Metric] = m.Value
		}
		for cut := range text {
			got, err := New().Parse(captured.Output(text[:cut], ""))
			if (err == nil) != (len(got) > 0) {
				t.Fatalf("%s cut at %d: %d measurements and error %v", file, cut, len(got), err)
			}
			for _, m := range got {
				want, ok := true_[m.Labels["job"]+m.Metric]
				if strings.HasSuffix(file, "hosts-0.4.txt") && (strings.HasSuffix(m.Metric, "ops") || strings.HasSuffix(m.Metric, "throughput")) {
					ok = ok && m.Value <= want*(1+1e-9) // the remaining hosts
				} else if strings.HasSuffix(m.Metric, ".requests") {
					ok = true // the heading's count, until the requests considered follow
				} else {
					ok = ok && m.Value == want
				}
				if !ok {
					t.Fatalf("%s cut at %d: %s = %v, want %v", file, cut, m.Metric, m.Value, want)
				}
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"too few samples":  {captured.Text(t, "skipped-from-source.txt"), "warp's line 1: PUT: too few samples"},
		"warp failed":      {captured.Text(t, "refused-from-source.txt"), "warp's line 1: Error preparing server: Access Denied."},
		"empty":            {"", "no heading"},
		"prose":            {"We ran warp and it was fast.\n", "no heading"},
		"heading alone":    {"Report: PUT. Concurrency: 20. Ran: 4m57s\n", "PUT: printed no usable output: no figures"},
		"nothing done":     {"Operation: PUT. Concurrency: 20\n* Average: 0.00 obj/s\n", "no figures"},
		"another request":  {"Operation: RETENTION\n* Average: 169.50 obj/s\n", "unexpected RETENTION requests"},
		"beyond measure":   {"Operation: PUT. Concurrency: 20\n* Average: " + strings.Repeat("9", 400) + " obj/s\n", "no figures"},
		"no document":      {`{"v": 2, "total": {`, "not a whole JSON document"},
		"empty document":   {`{"v":2,"total":{},"by_op_type":{}}`, "has no operations"},
		"negative figure":  {`{"type":"single","mixed":false,"operations":[{"type":"PUT","throughput":{"average_ops":-3}}]}`, "average_ops is -3"},
		"skipped document": {`{"type":"single","mixed":false,"operations":[{"type":"PUT","skipped":true}]}`, "too few samples"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := New().Parse(captured.Output(c.text, ""))
			if err == nil {
				t.Fatalf("gave %v", got)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
	if _, err := New().Parse(assay.Transcript{}); err == nil {
		t.Error("a transcript without a step is read")
	}
}
