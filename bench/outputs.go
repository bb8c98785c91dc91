package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay"
)

const (
	readRounds = 7
	// outputBytes is how large the files are that are read: far above what
	// starting a program costs, and below what one JSON document may have.
	outputBytes = 12 << 20
)

// Captures of the tests, from which large outputs are made.
const (
	captureJSON   = "probe/fio/testdata/3.33-read-libaio.json"
	captureText   = "probe/fio/testdata/3.33-randrw.txt"
	captureIPerf3 = "probe/iperf3/testdata/3.12-parallel.json"
)

// fioPlot reads a directory of fio's JSON as fio-plot does before it draws.
const fioPlot = `
import sys
from fio_plot.fiolib import jsonimport
d = [{"directory": sys.argv[1], "files": [sys.argv[2]]}]
jsonimport.import_json_dataset({}, d)
`

// measureReading times assay audit on the outputs of others, in turns with jq on
// the same file, and with fio-plot's reader where its Python is given.
func measureReading(ctx context.Context, binary, python, dir string, say func(string)) (rows []row, notes []string, err error) {
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
	for _, c := range []struct {
		what, file, against string
		peer                []string
		claim               claim
	}{
		{"assay audit, fio JSON+", plus, "jq .", []string{"jq", ".", plus}, twiceJQ},
		{"assay audit, fio JSON+", plus, "fio-plot", []string{python, "-c", fioPlot, dir, plus}, twentyFioPlot},
		{"assay audit, fio text", text, "jq -R .", []string{"jq", "-R", ".", text}, claim{}},
		{"assay audit, iperf3 JSON", iperf3, "jq .", []string{"jq", ".", iperf3}, twiceJQ},
	} {
		if c.peer[0] == "" {
			notes = append(notes, "fio-plot's reader was not measured: name a Python that has it with -fio-plot (make bench does)")
			continue
		}
		say("reading: " + c.what + " against " + c.against)
		r, err := readingRow(ctx, binary, c.file, c.peer)
		if err != nil {
			return rows, notes, err
		}
		r.what, r.against, r.claim = c.what, c.against, c.claim
		rows = append(rows, r)
	}
	return rows, notes, nil
}

// readingRow gives bytes a second of both.
func readingRow(ctx context.Context, binary, file string, peer []string) (row, error) {
	info, err := os.Stat(file)
	if err != nil {
		return row{}, err
	}
	own := []string{binary, "audit", file, "--format", "json"}
	times, err := turns(ctx, readRounds,
		func(ctx context.Context) error { _, err := execute(ctx, own, statusRejected); return err },
		func(ctx context.Context) error { _, err := execute(ctx, peer); return err })
	if err != nil {
		return row{}, err
	}
	speed := func(seconds float64) float64 { return float64(info.Size()) / seconds }
	return compare("", "", assay.BytesPerSecond, each(times[0], speed), each(times[1], speed), claim{})
}

// largeJSON writes one document of fio's JSON+ whose jobs are those of a capture,
// many times over.
func largeJSON(dir string) (string, error) {
	capture, err := os.ReadFile(captureJSON)
	if err != nil {
		return "", assay.WithHint("run it in the project's directory", "captures: %w", err)
	}
	begin := bytes.IndexByte(capture, '{')
	if begin < 0 {
		return "", fmt.Errorf("%s holds no document", captureJSON)
	}
	var doc map[string]any
	if err := json.Unmarshal(capture[begin:], &doc); err != nil {
		return "", fmt.Errorf("%s: %w", captureJSON, err)
	}
	jobs, _ := doc["jobs"].([]any)
	if len(jobs) == 0 {
		return "", fmt.Errorf("%s has no job", captureJSON)
	}
	one, err := json.MarshalIndent(jobs[0], "    ", "  ")
	if err != nil {
		return "", err
	}
	var all []any
	for n := 0; n*len(one) < outputBytes; n++ {
		job, ok := jobs[0].(map[string]any)
		if !ok {
			return "", errors.New("a job is no object")
		}
		copied := map[string]any{}
		for k, v := range job {
			copied[k] = v
		}
		copied["jobname"] = fmt.Sprintf("job%d", n)
		all = append(all, copied)
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
	return path, os.WriteFile(path, bytes.Repeat(text, outputBytes/len(text)+1), 0o600)
}
