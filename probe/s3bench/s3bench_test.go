package s3bench

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
		{"igneous-swift.txt", "s3bench -accessKey=test:tester -accessSecret=secret -endpoint=http://127.0.0.1:18080 -objectSize=1024", map[string]float64{
			"object.put.throughput": .30 * miB, "object.put.ops": 1000 / 3.288, "object.put.latency.max": .181, "object.put.latency.p99": .146,
			"object.put.latency.p90": .085, "object.put.latency.p75": .074, "object.put.latency.p50": .063, "object.put.latency.p25": .053,
			"object.put.latency.min": .03, "object.put.requests": 1000, "object.put.errors": 0, "tool.duration": 3.288,
		}, "put", map[string]string{"tool": "s3bench", "program": "igneous-systems/s3bench", "loop": "closed", "op": "Write", "concurrency": "20", "object_size": "1024", "endpoint": "127.0.0.1:18080"}, "put get"},
		{"igneous-readme.txt", "", map[string]float64{ // 0.00 MB/s is not a figure
			"object.put.ops": 10 / 2.684, "object.put.latency.max": .791, "object.put.latency.p99": .791, "object.put.latency.p90": .791,
			"object.put.latency.p75": .601, "object.put.latency.p50": .543, "object.put.latency.p25": .385, "object.put.latency.min": .336,
			"object.put.requests": 10, "object.put.errors": 0, "tool.duration": 2.684,
		}, "put", map[string]string{"concurrency": "2", "hosts": "2", "object_size": ""}, "put get"},
		{"igneous-fork-2021.txt", "", map[string]float64{
			"object.get.throughput": 10554.29 * miB, "object.get.ops": 105.54, "object.get.latency.max": 1.8492, "object.get.latency.p99": 1.5404,
			"object.get.latency.p90": 1.0935, "object.get.latency.p75": .9415, "object.get.latency.p50": .7914, "object.get.latency.p25": .4691,
			"object.get.latency.min": .1365, "object.get.requests": 1000, "object.get.errors": 0, "tool.duration": 9.475,
		}, "get", map[string]string{"concurrency": "80", "object_size": "104857600", "hosts": "8"}, "put get"},
		{"wasabi-2.0.txt", "", map[string]float64{
			"object.put.throughput": 91.3 * miB, "object.put.ops": 91.3, "object.put.requests": 5484, "tool.duration": 60.1,
		}, "put", map[string]string{"program": "wasabi-tech/s3-benchmark", "concurrency": "10", "object_size": "1048576", "endpoint": "s3.wasabisys.com"}, "put get delete"},
		{"wasabi-2.1-loops.txt", "", map[string]float64{
			"object.get.throughput": 62.8 * miB, "object.get.ops": 62.8, "object.get.requests": 3849, "object.get.errors": 0, "tool.duration": 61.3,
		}, "get loop 2", map[string]string{"concurrency": "50", "op": "GET"}, "put get delete put loop 2 get loop 2 delete loop 2"},
		{"wasabi-3.0-minio.txt", "", map[string]float64{
			"object.get.throughput": 3.1 * miB, "object.get.ops": 787.4, "object.get.requests": 15749, "tool.duration": 20,
		}, "get", map[string]string{"concurrency": "1", "object_size": "4096", "endpoint": "127.0.0.1:9000"}, "put get delete"},
		{"wasabi-lists.txt", "", map[string]float64{
			"object.list.ops": 27.2, "object.list.requests": 1632, "object.list.errors": 0, "tool.duration": 60,
		}, "listver", nil, "put get list2 listver delete"},
		{"wasabi-log-2018.txt", "", map[string]float64{
			"object.put.throughput": 115 * miB, "object.put.ops": 11.5, "object.put.requests": 722, "object.put.errors": 0, "tool.duration": 62.8,
		}, "put", map[string]string{"object_size": "10485760", "endpoint": "s3.us-west-2.amazonaws.com"}, "put get delete"},
		{"dvassallo-from-source.txt", "", map[string]float64{
			"object.get.throughput": 1136.2 * miB, "object.get.latency.mean": .448, "object.get.latency.min": .226, "object.get.latency.p25": .366,
			"object.get.latency.p50": .422, "object.get.latency.p75": .5, "object.get.latency.p90": .612, "object.get.latency.p99": .902,
			"object.get.latency.max": 1.204, "object.get.first_byte.mean": .033,
		}, "get 33554432 x 16", map[string]string{"program": "dvassallo/s3-benchmark", "object_size": "33554432", "concurrency": "16"}, "get 1024 x 8 get 1024 x 9 get 33554432 x 16"},
	} {
		t.Run(c.file, func(t *testing.T) {
			text := captured.Text(t, c.file)
			got, err := New().Parse(captured.Output(text, c.command))
			if err != nil {
				t.Fatal(err)
			}
			var jobs []string
			seen := map[string]bool{}
			lines := strings.Count(text, "\n") + 1
			for _, m := range got {
				job := m.Labels["job"]
				if len(jobs) == 0 || jobs[len(jobs)-1] != job {
					jobs = append(jobs, job)
				}
				if m.Line < 1 || m.Line > lines {
					t.Errorf("%s stands on line %d of %d", m.Metric, m.Line, lines)
				}
				for key, v := range m.Labels {
					if strings.Contains(v, "secret") || strings.Contains(v, "tester") || v == "" {
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
					if m.Labels[name] != want {
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

// Printed objects per second times their size give the throughput: K and M are
// binary.
func TestPrefixesAreBinary(t *testing.T) {
	for _, file := range []string{"wasabi-log-2018.txt", "igneous-fork-2021.txt", "wasabi-2.0.txt"} {
		got, err := New().Parse(captured.Output(captured.Text(t, file), ""))
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Metric != "object.put.throughput" || got[1].Metric != "object.put.ops" {
			t.Fatalf("%s begins with %s, %s", file, got[0].Metric, got[1].Metric)
		}
		size, _ := number(got[0].Labels["object_size"])
		if ratio := got[0].Value / (got[1].Value * size); math.Abs(ratio-1) > .01 {
			t.Errorf("%s: %.3f of operations x size", file, ratio)
		}
	}
}

// The same figures, whatever surrounds them and however lines end.
func TestNoise(t *testing.T) {
	for _, file := range []string{"igneous-swift.txt", "wasabi-2.1-loops.txt", "dvassallo-from-source.txt"} {
		text := captured.Text(t, file)
		want, err := New().Parse(captured.Output(text, ""))
		if err != nil {
			t.Fatal(err)
		}
		for name, noisy := range map[string]string{
			"CRLF":        strings.ReplaceAll(text, "\n", "\r\n"),
			"prose after": text + "\nSo Loop 1 was the best.\n| a | table |\nTotal Throughput: splendid\n",
		} {
			got, err := New().Parse(captured.Output(noisy, ""))
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s, %s: %d measurements, want %d, error %v", file, name, len(got), len(want), err)
			}
			for i := range got {
				if got[i].Metric != want[i].Metric || got[i].Value != want[i].Value || got[i].Line != want[i].Line {
					t.Errorf("%s, %s: %+v, want %+v", file, name, got[i], want[i])
				}
			}
		}
	}
}

// Wherever an output is cut off, the remaining figures are right.
func TestTruncated(t *testing.T) {
	for _, file := range []string{"igneous-fork-2021.txt", "wasabi-2.1-loops.txt", "wasabi-lists.txt", "dvassallo-from-source.txt"} {
		text := captured.Text(t, file)
		whole, err := New().Parse(captured.Output(text, ""))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]assay.Measurement{}
		for _, m := range whole {
			want[m.Labels["job"]+m.Metric] = m
		}
		for cut := range text {
			got, err := New().Parse(captured.Output(text[:cut], ""))
			if (err == nil) != (len(got) > 0) {
				t.Fatalf("%s cut at %d: %d measurements and error %v", file, cut, len(got), err)
			}
			for _, m := range got {
				w, ok := want[m.Labels["job"]+m.Metric]
				if !ok || m.Value != w.Value || m.Labels["object_size"] != w.Labels["object_size"] || m.Labels["concurrency"] != w.Labels["concurrency"] {
					t.Fatalf("%s cut at %d: %+v, want %+v", file, cut, m, w)
				}
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	summary := "Results Summary for Write Operation(s)\n"
	for name, c := range map[string]struct{ text, says string }{
		"all failed":        {captured.Text(t, "igneous-errors-from-source.txt"), "s3bench's line 15: Write: all 200 requests failed"},
		"fatal":             {captured.Text(t, "wasabi-fatal-from-source.txt"), "s3-benchmark's line 1: Unable to create bucket som4"},
		"empty":             {"", "no operation has figures"},
		"prose":             {"We ran s3bench. Loop 1 was fine.\n", "no operation has figures"},
		"parameters alone":  {"Test parameters\nendpoint(s):      [http://a:1]\nnumClients:       2\n", "no operation has figures"},
		"cut off":           {summary + "Total Transferred: 0.977 MB\n", "Write: printed no usable output: no figures"},
		"nothing":           {summary + "Total Throughput:  0.00 MB/s\n", "no figures"},
		"another operation": {"Results Summary for Validate Operation(s)\nTotal Throughput:  1.00 MB/s\n", "unexpected Validate operations"},
		"beyond measure":    {summary + "Total Throughput:  " + strings.Repeat("9", 400) + " MB/s\n", "no figures"},
		"loop of nothing":   {"Loop 1: PUT time 60.0 secs, objects = 0, speed = 0B/sec, 0.0 operations/sec. Slowdowns = 0\n", "no operation has figures"},
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
