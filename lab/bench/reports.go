package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"assay"
	"assay/analysis"
	"assay/lab/bench/workload"
	"assay/report"
	"assay/report/html"
	reportjson "assay/report/json"
	"assay/report/markdown"
	"assay/report/term"
)

const reportRounds = 9

// measureReports times building the document and each voice, in turns with
// encoding/json on the same document.
func measureReports(ctx context.Context, say func(string)) ([]row, error) {
	var rows []row
	for _, size := range []struct {
		name string
		size workload.Size
	}{
		{"1,000 measurements", workload.ThousandMeasurements},
		{"100,000 samples", workload.HundredThousandSamples},
	} {
		say("reports: " + size.name)
		more, err := reportRows(ctx, size.name, workload.Run("made-up", 0, size.size))
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	cluster := fmt.Sprintf("%d hosts, %d links", analysedHosts, analysedHosts*(analysedHosts-1))
	say("reports: " + cluster)
	run := workload.Cluster(analysedHosts)
	more, err := analysisRow(ctx, cluster, run)
	if err != nil {
		return nil, err
	}
	rows = append(rows, more)
	voices, err := reportRows(ctx, cluster, run)
	return append(rows, voices...), err
}

// analysedHosts is the number of hosts; each pair has a link in each direction.
const analysedHosts = 64

// quickAnalysis is short enough that a reader of the report does not notice the
// wait.
var quickAnalysis = claim{text: "limit 300 ms", high: .3, unit: assay.Seconds}

// analysisRow times the analysis of a run, beside encoding/json on the same run.
func analysisRow(ctx context.Context, name string, run assay.Run) (row, error) {
	times, err := turns(ctx, reportRounds,
		func(context.Context) error { analysis.Of(run); return nil },
		func(context.Context) error { _, err := json.Marshal(run); return err })
	if err != nil {
		return row{}, err
	}
	return compare("analysis of "+name, "json.Marshal", assay.Seconds, times[0], times[1], quickAnalysis)
}

func reportRows(ctx context.Context, name string, run assay.Run) ([]row, error) {
	d := report.Build(run)
	voice := func(write func(io.Writer, report.Document) error) work {
		return func(context.Context) error { return write(io.Discard, d) }
	}
	names := []string{"document", "html", "json", "markdown", "term"}
	times, err := turns(ctx, reportRounds,
		func(context.Context) error { _, err := json.Marshal(d); return err },
		func(context.Context) error { report.Build(run); return nil },
		voice(func(w io.Writer, d report.Document) error { return html.Render(w, report.Blocks(d)) }), voice(func(w io.Writer, d report.Document) error { return reportjson.Render(w, report.Blocks(d)) }),
		voice(func(w io.Writer, d report.Document) error { return markdown.Render(w, report.Blocks(d)) }),
		voice(func(w io.Writer, d report.Document) error { return term.Render(w, report.Blocks(d), term.Options{}) }))
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, what := range names {
		r, err := compare(what+" of "+name, "json.Marshal", assay.Seconds, times[i+1], times[0], claim{})
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}
