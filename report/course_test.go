package report_test

import (
	"bytes"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/block"
	"assay/report/html"
	"assay/report/json"
	"assay/report/markdown"
	"assay/report/reporttest"
	"assay/report/term"
)

// A time line is of the repeat with the longest silence, counts from the stop, and is said by
// every voice.
func TestTimeLine(t *testing.T) {
	d := report.Blocks(report.Build(reporttest.FailedOver()))
	said := map[string]string{}
	for name, voice := range map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return term.Render(b, d, term.Options{Width: 120}) },
		"markdown": func(b *bytes.Buffer) error { return markdown.Render(b, d) },
		"html":     func(b *bytes.Buffer) error { return html.Render(b, d) },
		"json":     func(b *bytes.Buffer) error { return json.Render(b, d) },
	} {
		var b bytes.Buffer
		if err := voice(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said[name] = b.String()
		for _, want := range []string{
			"Time line", "failover of vip", "repeat 2 of 3, the one with the longest time without an answer", "seen from web1", "no answer for 3.05 s",
			"no answer for 3.05 s, no answer for 150 ms", "stopped for 6.06 s", "degraded for 8.60 s", "first request without an answer",
			"answers again, now on lb2", "another MAC address in the ARP table", "0.030 s", "8.900 s", "off by at most 900 µs",
		} {
			if !strings.Contains(strings.ReplaceAll(b.String(), "\u00a0", " "), want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
	const drawn = `
  on lb1          ███····································▒▒▒████████████████  stopped for 6.06 s
  seen from web1  ███··················█████████████████████████████████████  no answer for 3.05 s
  seen from web2  ███··················████████████████████████·████████████  no answer for 3.05 s, no answer for 150 ms
  redundancy      ████···················································███  degraded for 8.60 s
`
	if !strings.Contains(said["text"], drawn) {
		t.Errorf("not drawn so:%s%s", drawn, said["text"])
	}
	if !strings.Contains(said["json"], `"block": "lanes"`) {
		t.Error("JSON has no lanes")
	}
}

// A migration has no host that says when it began.
func TestTimeLineOfAMigration(t *testing.T) {
	run := reporttest.FailedOver()
	r := &run.Results[0]
	r.Trial.Title, r.Trial.Subject.Kind = "live migration back", assay.KindGuest
	moments := []assay.Moment{
		{What: assay.Migrating, At: 1}, {What: assay.LastAnswer, By: "kvm1", At: 2.2, Error: .002},
		{What: assay.Answer, By: "kvm1", At: 2.3, Error: .002}, {What: assay.Migrated, At: 2.4},
	}
	r.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: append([]assay.Measurement{
		{Metric: "migration.duration", Value: 1.4, Unit: assay.Seconds},
	}, assay.Moments("virsh", moments)...)}}
	var b bytes.Buffer
	if err := term.Render(&b, report.Blocks(report.Build(run)), term.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	const want = `
Time line: lb1: live migration back
  the guest       ███▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒███  moves for 1.40 s
  seen from kvm1  █████████████████████████████████████████████████····███████  no answer for 100 ms

what                   host    after
the migration begins         0.000 s
last answer            kvm1  1.200 s
answers again          kvm1  1.300 s
the migration is over        1.400 s
Times are off by at most 2.00 ms between hosts.
`
	if !strings.Contains(b.String(), want) {
		t.Errorf("want %s in\n%s", want, b.String())
	}
}

// Without a beginning there is nothing to count from, and no time line.
func TestNoTimeLine(t *testing.T) {
	run := reporttest.FailedOver()
	for i := range run.Results[0].Repeats {
		rep := &run.Results[0].Repeats[i]
		rep.Measurements = rep.Measurements[:2]
	}
	for _, b := range report.Blocks(report.Build(run)).Blocks {
		if b.Kind() == (block.Lanes{}).Kind() {
			t.Errorf("%+v", b)
		}
	}
}
