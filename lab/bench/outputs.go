package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"assay"
	"assay/ingest"
	"assay/ingest/readers"
)

const (
	readRounds = 7
	// outputBytes is the size of the files to read: far above the cost of
	// starting a program, and below the limit of one JSON document.
	outputBytes = 12 << 20
	// mostOutputs is below the limit of one file.
	mostOutputs = 300
)

// Test captures from which large outputs are made.
const (
	captureJSON   = "probe/fio/testdata/3.33-randread-uring.json"
	captureText   = "probe/fio/testdata/text/3.33-randrw-jobs.txt"
	captureIPerf3 = "probe/iperf3/testdata/parallel-3.12.json"
)

// fioPlot is fio-plot without drawing: it loads, and reads a directory of fio's
// JSON.
const fioPlot = `
import sys
from fio_plot.fiolib import getdata
getdata.get_json_data({"input_directory": [sys.argv[1]], "rw": "randread", "iodepth": [32], "numjobs": [1], "filter": ["read", "write"]})
`

// measureReading times reading all figures in other tools' outputs, in turns with
// jq on the same file, and with fio-plot if its Python is given.
func measureReading(ctx context.Context, python, dir string, say func(string)) (rows []row, notes []string, err error) {
	dir = filepath.Join(dir, "outputs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, nil, err
	}
	plus, err := largeJSON(dir)
	if err != nil {
		return nil, nil, err
	}
	text, err := repeated(dir, captureText, "fio.txt")
	if err != nil {
		return nil, nil, err
	}
	iperf3, err := repeated(dir, captureIPerf3, "iperf3.json")
	if err != nil {
		return nil, nil, err
	}
	runs, err := plotted(filepath.Join(dir, "plot"))
	if err != nil {
		return nil, nil, err
	}
	for _, c := range []struct {
		what    string
		files   []string
		against string
		peer    []string
		claim   claim
	}{
		{"reading fio JSON+, 12 MiB", []string{plus}, "jq .", []string{"jq", ".", plus}, twiceJQ},
		{fmt.Sprintf("reading fio JSON+, %d runs", len(runs)), runs, "fio-plot", []string{python, "-c", fioPlot, filepath.Dir(runs[0])}, twentyFioPlot},
		{"reading fio text", []string{text}, "jq -R .", []string{"jq", "-R", ".", text}, claim{}},
		{"reading iperf3 JSON, 9 MiB", []string{iperf3}, "jq .", []string{"jq", ".", iperf3}, twiceJQ},
	} {
		if c.peer[0] == "" {
			notes = append(notes, "fio-plot's reader was not measured: name a Python that has it with -fio-plot (make bench does)")
			continue
		}
		say(c.what + " against " + c.against)
		r, err := readingRow(ctx, c.files, c.peer)
		if err != nil {
			return rows, notes, err
		}
		r.what, r.against, r.claim = c.what, c.against, c.claim
		rows = append(rows, r)
	}
	return rows, notes, nil
}

// readingRow returns the bytes per second of both.
func readingRow(ctx context.Context, files, peer []string) (row, error) {
	bytes := 0.
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return row{}, err
		}
		bytes += float64(info.Size())
	}
	times, err := turns(ctx, readRounds,
		func(context.Context) error { return readAll(files) },
		func(ctx context.Context) error { _, err := execute(ctx, peer); return err })
	if err != nil {
		return row{}, err
	}
	speed := func(seconds float64) float64 { return bytes / seconds }
	return compare("", "", assay.BytesPerSecond, each(times[0], speed), each(times[1], speed), claim{})
}

// readAll reads files as assay audit does. Anything left unread is an error.
func readAll(files []string) error {
	var r ingest.Reading
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		err = r.Read(file, f, readers.All())
		f.Close()
		if err != nil {
			return err
		}
	}
	if len(r.Unread) > 0 {
		return fmt.Errorf("%s:%d: %s", r.Unread[0].File, r.Unread[0].Line, r.Unread[0].Why)
	}
	return nil
}

// plottedRuns is how many runs people plot together: depths 1 to 128 of four
// patterns and two numbers of jobs.
const plottedRuns = 64

// plotted writes the results of many runs as fio-plot expects them: a directory
// with a document of one job for each.
func plotted(dir string) ([]string, error) {
	doc, jobs, err := captured()
	if err != nil {
		return nil, err
	}
	jobs[0]["job options"] = map[string]string{"rw": "randread", "iodepth": "32", "numjobs": "1", "bs": "4k"}
	doc["jobs"] = jobs[:1]
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	var files []string
	for n := range plottedRuns {
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.json", n)))
		if err := os.WriteFile(files[n], text, 0o600); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// captured returns the capture's first document, with its jobs: those of status
// intervals are alike.
func captured() (doc map[string]any, jobs []map[string]any, err error) {
	text, err := os.ReadFile(captureJSON)
	if err != nil {
		return nil, nil, assay.WithHint("run it in the project's directory", "captures: %w", err)
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&doc); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", captureJSON, err)
	}
	list, _ := doc["jobs"].([]any)
	for _, one := range list {
		if job, ok := one.(map[string]any); ok {
			jobs = append(jobs, job)
		}
	}
	if len(jobs) == 0 {
		return nil, nil, fmt.Errorf("%s has no job", captureJSON)
	}
	return doc, jobs, nil
}

// largeJSON writes one fio JSON+ document with the first job of a capture, repeated
// many times.
func largeJSON(dir string) (string, error) {
	doc, jobs, err := captured()
	if err != nil {
		return "", err
	}
	one, err := json.MarshalIndent(jobs[0], "    ", "  ")
	if err != nil {
		return "", err
	}
	var all []map[string]any
	for n := 0; n*len(one) < outputBytes; n++ {
		job := maps.Clone(jobs[0])
		job["jobname"] = fmt.Sprintf("job%d", n)
		all = append(all, job)
	}
	doc["jobs"] = all
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "fio.json")
	return path, os.WriteFile(path, text, 0o600)
}

// repeated writes a capture many times over.
func repeated(dir, capture, name string) (string, error) {
	text, err := os.ReadFile(capture)
	if err != nil {
		return "", err
	}
	if !strings.HasSuffix(string(text), "\n") {
		text = append(text, '\n')
	}
	path := filepath.Join(dir, name)
	return path, os.WriteFile(path, bytes.Repeat(text, min(outputBytes/len(text)+1, mostOutputs)), 0o600)
}
