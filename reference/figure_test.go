package reference

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"assay"
)

var update = flag.Bool("update", false, "write tables.json and doc/reference.md anew")

// Every figure states its source and how it was measured.
func TestEveryFigure(t *testing.T) {
	words := func(list ...string) []string { return list }
	allowed := map[string][]string{
		"pattern": words("read", "write", "randread", "randwrite", "put", "get"),
		"flush":   words("each", "end", "none"), "direct": words("0", "1"), "cache": words("", "cold"),
		"on": words("device", "file", "guest", "pod"), "write_cache": words("", "off"), "data": words("", "zero"),
	}
	check := func(f Figure, name, value string) {
		if !slices.Contains(allowed[name], value) {
			t.Errorf("%s: %s is %q", f.What, name, value)
		}
	}
	for _, f := range figures() {
		if f.What == "" || f.Class == "" || f.Low <= 0 || f.High < f.Low {
			t.Errorf("%+v is not whole", f)
		}
		if len(f.Source.Title) < 10 || f.Source.URL == "" || f.Source.Date == "" {
			t.Errorf("%s: a source needs title, url and date: %+v", f.What, f.Source)
		}
		if _, known := assay.Describe(f.Metric); !known {
			t.Errorf("%s: %s is no metric", f.What, f.Metric)
		}
		s := f.Settings
		switch {
		case f.Kind == OfNetwork:
			if s.Protocol == "" || s.Streams == 0 && s.MTU == 0 {
				t.Errorf("%s: a link needs protocol, and streams or mtu: %+v", f.What, s)
			}
		case f.Rated:
			check(f, "pattern", s.Pattern)
		case strings.HasPrefix(f.Metric, "storage."):
			for name, value := range map[string]string{
				"pattern": s.Pattern, "flush": s.Flush, "direct": s.Direct, "cache": s.Cache,
				"on": s.On, "write_cache": s.Volatile, "data": s.Data,
			} {
				check(f, name, value)
			}
			if s.Block <= 0 || s.InFlight <= 0 {
				t.Errorf("%s: bs and in_flight must be known: %+v", f.What, s)
			}
			if reads := strings.HasSuffix(s.Pattern, "read"); reads != strings.HasPrefix(f.Metric, "storage.read.") {
				t.Errorf("%s: %s of %s", f.What, f.Metric, s.Pattern)
			}
		default:
			check(f, "pattern", s.Pattern)
			if s.Block <= 0 || s.InFlight <= 0 {
				t.Errorf("%s: bs and in_flight must be known: %+v", f.What, s)
			}
		}
	}
}

func TestMistakesInFiguresAreErrors(t *testing.T) {
	const head = "sources: {s: {title: a title, url: u, date: d}}\nclasses: {c: {name: n, kind: drive}}\n"
	for name, text := range map[string]string{
		"a key it does not know":    head + "groups: [{metric: storage.read.iops, source: s, speed: 3}]",
		"a source it does not know": head + "groups: [{metric: storage.read.iops, source: x}]",
		"a metric it does not know": head + "groups: [{metric: storage.read.speed, source: s}]",
		"a class it does not know":  head + "groups: [{metric: storage.read.iops, source: s, figures: [{what: w, class: x, value: 1}]}]",
		"no value":                  head + "groups: [{metric: storage.read.iops, source: s, figures: [{what: w, class: c}]}]",
		"two values":                head + "groups: [{metric: storage.read.iops, source: s, figures: [{what: w, class: c, value: 1, mbps: 1}]}]",
		"operations without bs":     head + "groups: [{metric: storage.read.iops, source: s, figures: [{what: w, class: c, mbps: 1}]}]",
		"a latency in MB/s":         head + "groups: [{metric: storage.read.latency.mean, source: s, figures: [{what: w, class: c, mbps: 1}]}]",
	} {
		file, err := readFigures([]byte(text))
		if err == nil {
			_, err = file.all()
		}
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	good := head + "groups: [{metric: storage.read.iops, source: s, settings: {bs: 4096}, figures: [{what: w, class: c, mbps: 4.096}]}]"
	file, err := readFigures([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := file.all(); err != nil || len(all) != 1 || all[0].Low != 1000 {
		t.Errorf("4.096 MB/s of 4 KiB: %+v, %v", all, err)
	}
}

func TestSettingsOfLabels(t *testing.T) {
	for _, c := range []struct {
		labels map[string]string
		want   Settings
	}{
		{map[string]string{"pattern": "randwrite", "bs": "4096", "iodepth": "32", "jobs": "4", "sync": "0", "direct": "1"},
			Settings{Pattern: "randwrite", Block: 4096, InFlight: 128, Flush: "none", Direct: "1"}},
		{map[string]string{"pattern": "write", "bs": "1m", "iodepth": "1", "jobs": "1", "sync": "fdatasync", "direct": "0", "source": "zero"},
			Settings{Pattern: "write", Block: 1 << 20, InFlight: 1, Flush: "end", Direct: "0", Data: "zero"}},
		{map[string]string{"pattern": "write", "bs": "4 KiB", "fdatasync": "1", "sync": "0"}, Settings{Pattern: "write", Block: 4096, Flush: "each"}},
		{map[string]string{"pattern": "write", "fsync": "32"}, Settings{Pattern: "write", Flush: "every 32"}},
		{map[string]string{"pattern": "write", "iodepth": "8"}, Settings{Pattern: "write"}}, // how many jobs?
		{map[string]string{"pattern": "read"}, Settings{Pattern: "read", Flush: "none"}},
		{map[string]string{"op": "seq", "object_size": "4M", "threads": "16", "clients": "3"}, Settings{Pattern: "read", Block: 4 << 20, InFlight: 48}},
		{nil, Settings{}},
	} {
		if got := SettingsOf(c.labels); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.labels, got, c.want)
		}
	}
}

// doc/reference.md lists what is here.
func TestTheListIsUpToDate(t *testing.T) {
	const path = "../doc/reference.md"
	got := listed(inYAML(t))
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what figures.yaml and drives.yaml say: go test ./reference -update", path)
	}
}

func listed(figures []Figure) []byte {
	var b bytes.Buffer
	b.WriteString(`# Published figures

A report places its own figures among these, where both were measured in the same way. What differs and still leaves them
comparable is said beside them; where settings differ in more, nothing is said. "Rated" is what a vendor promises, "up to",
and no measurement. The list is written by a test from reference/figures.yaml and reference/drives.yaml.

`)
	sources := []Source{}
	number := func(s Source) int {
		i := slices.IndexFunc(sources, func(o Source) bool { return o.Title == s.Title })
		if i < 0 {
			sources, i = append(sources, s), len(sources)
		}
		return i + 1
	}
	row := func(f Figure) {
		m, _ := assay.Describe(f.Metric)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | [%d] |\n", f.What, f.Class, Span(f.Low, f.High, func(v float64) string { return amount(v, m.Unit) }),
			settingsListed(f), number(f.Source))
	}
	var metrics []string
	for _, f := range figures {
		metrics = addOnce(metrics, f.Metric)
	}
	for _, metric := range metrics {
		fmt.Fprintf(&b, "## %s\n\n| what | like | figure | settings | source |\n| --- | --- | --: | --- | --- |\n", metric)
		for _, f := range figures {
			if f.Metric == metric {
				row(f)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("## Sources\n\n")
	for i, s := range sources {
		fmt.Fprintf(&b, "%d. %s. %s. %s.", i+1, s.Title, s.URL, s.Date)
		if s.Note != "" {
			b.WriteString(" " + s.Note)
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

func amount(v float64, unit assay.Unit) string {
	switch unit {
	case assay.BytesPerSecond:
		return fmt.Sprintf("%.4g MB/s", v/1e6)
	case assay.Seconds:
		return fmt.Sprintf("%.4g ms", v*1e3)
	}
	return fmt.Sprintf("%.0f %s", v, unit)
}

func settingsListed(f Figure) string {
	s := f.Settings
	var words []string
	say := func(ok bool, format string, v ...any) {
		if ok {
			words = append(words, fmt.Sprintf(format, v...))
		}
	}
	say(f.Rated, "rated")
	say(s.Pattern != "", "%s", s.Pattern)
	say(s.Block > 0, "%d B", s.Block)
	say(s.InFlight > 0, "%d in flight", s.InFlight)
	say(s.Flush != "" && s.Flush != "none", "flush: %s", s.Flush)
	say(s.Direct == "1", "direct")
	say(s.Direct == "0", "buffered")
	say(s.Cache != "", "cache %s", s.Cache)
	say(s.On != "", "%s", map[string]string{"device": "on the bare device", "file": "on a file", "guest": "in a virtual machine", "pod": "in a pod"}[s.On])
	say(s.Volatile != "", "write cache %s", s.Volatile)
	say(s.Data != "", "data: %s", s.Data)
	say(s.Protocol != "", "%s", s.Protocol)
	say(s.Streams > 0, "%d flow", s.Streams)
	say(s.MTU > 0, "MTU %d", s.MTU)
	return strings.Join(words, ", ")
}
