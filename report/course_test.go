package report_test

import (
	"bytes"
	"slices"
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

// A time line shows the repeat with the longest silence, counts from the stop, and appears in
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
			"answers again, now on lb2", "another MAC address in the ARP table", "none for 3.05 s, less than half for 4.95 s", "the load stands still", "0.030 s", "8.900 s", "off by at most 900 µs",
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
  load on web2    ███··················▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒████████  none for 3.05 s, less than half for 4.95 s
  redundancy      ████···················································███  degraded for 8.60 s
`
	if !strings.Contains(said["text"], drawn) {
		t.Errorf("not drawn so:%s%s", drawn, said["text"])
	}
	if !strings.Contains(said["json"], `"block": "lanes"`) {
		t.Error("JSON has no lanes")
	}
}

// A migration has no host for its beginning, and one lane per way of observing.
func TestTimeLineOfAMigration(t *testing.T) {
	var b bytes.Buffer
	if err := term.Render(&b, report.Blocks(report.Build(reporttest.Moved())), term.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`
  the guest              ██`, "moves for 1.45 s", `
  seen from kvm1 by TCP  ██`, "no answer for 400 ms", `
  seen from kvm1 by UDP  ██`, "no answer for 200 ms", `
  writes in the guest    ██`, "the longest takes 110 ms", `
what                                   host    after
the migration begins                         0.000 s
last answer (UDP)                      kvm1  1.200 s
last answer (TCP)                      kvm1  1.200 s
the longest write in the guest begins        1.210 s
it is written                                1.320 s
answers again (UDP)                    kvm1  1.400 s
the migration is over                        1.450 s
answers again (TCP)                    kvm1  1.600 s
Times are off by at most 2.00 ms between hosts.
`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("want %s in\n%s", want, b.String())
		}
	}
}

// Many gaps are given as a count and the longest; the picture and the table have all of
// them.
func TestManyGapsAreCounted(t *testing.T) {
	run := reporttest.Moved()
	moments := &run.Results[0].Repeats[0].Measurements
	isUDP := func(m assay.Measurement) bool { return m.Metric == assay.MetricMoment && m.Labels["how"] == "UDP" }
	for _, later := range []float64{.5, 1} {
		for _, m := range (*moments)[:len(*moments):len(*moments)] {
			if isUDP(m) && m.Value < 1.5 {
				m.Value += later
				*moments = append(*moments, m)
			}
		}
	}
	var b bytes.Buffer
	if err := term.Render(&b, report.Blocks(report.Build(run)), term.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "3 times no answer, 200 ms at most") || !strings.Contains(b.String(), "no answer for 400 ms") {
		t.Errorf("the gaps are not counted:\n%s", b.String())
	}
}

// If observers saw different downtimes, the verdict says which one to believe, and
// why.
func TestWhichDowntimeToBelieve(t *testing.T) {
	set := func(values map[string]float64) assay.Run {
		run := reporttest.Moved()
		all := run.Results[0].Repeats[0].Measurements
		for i, m := range all {
			if v, is := values[m.Metric]; is {
				all[i].Value = v
			}
		}
		run.Results[0].Repeats[0].Measurements = slices.DeleteFunc(all, func(m assay.Measurement) bool { return m.Value < 0 })
		return run
	}
	for want, run := range map[string]assay.Run{
		"with a downtime of 77.0 ms as the hypervisor says and, seen from outside, of 200 ms by UDP, 400 ms by TCP and 202 ms by ping; " +
			"the longest write inside took 110 ms. Believe UDP: the guest stood still for 80.0 ms, and the network took another 120 ms to find it. " +
			"TCP takes longer because it retransmits at growing intervals.": set(nil),
		"Believe UDP, not the hypervisor: the guest's own clock stood still for 195 ms. TCP": set(map[string]float64{"migration.clock.stood": .195}),
		"Believe UDP, not the hypervisor: it is what clients saw. TCP":                       set(map[string]float64{"migration.clock.stood": -1}),
		"by ping; the longest write inside took 110 ms.": set(map[string]float64{
			"migration.clock.stood": .19, "migration.downtime": .19, "migration.downtime.seen.tcp": .21}),
		"77.0 ms as the hypervisor says and of 202 ms by ping.": set(map[string]float64{
			"migration.downtime.seen.udp": -1, "migration.downtime.seen.tcp": -1, "migration.clock.stood": -1, "migration.io.longest": -1}),
	} {
		var b bytes.Buffer
		if err := term.Render(&b, report.Blocks(report.Build(run)), term.Options{Width: 100}); err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(said, want) {
			t.Errorf("does not say %q:\n%.1500s", want, said)
		}
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
