package dd

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/probe/probetest"
)

func measured(stderr []byte, argv ...string) assay.Transcript {
	return assay.Transcript{Probe: "dd", Steps: []assay.Step{{
		Name: stepMeasure, Argv: argv, Output: assay.Output{Stderr: stderr},
	}}}
}

func TestParseReadsEveryVersionAndLanguage(t *testing.T) {
	for _, c := range []struct {
		file    string
		bytes   int64
		seconds float64
		line    int
	}{
		{"gnu-9.1-C.txt", 67108864, 0.146128, 3},
		{"gnu-9.1-de_DE.txt", 67108864, 0.0294214, 3},
		{"gnu-9.1-es_ES.txt", 67108864, 0.0282207, 3},
		{"gnu-9.1-fr_FR.txt", 67108864, 0.0304051, 3},
		{"gnu-9.1-ko_KR.txt", 67108864, 0.0288839, 3},
		{"gnu-9.1-tr_TR.txt", 67108864, 0.0283997, 3},
		{"gnu-9.1-uk_UA.txt", 67108864, 0.029201, 3},
		{"gnu-9.1-zh_CN.txt", 67108864, 0.0281005, 3},
		{"gnu-9.1-progress.txt", 734003200, 2.00173, 4},
		{"gnu-9.1-usr1.txt", 51730964480, 1.01518, 6},
		{"gnu-9.1-short.txt", 512, 3.1707e-05, 3},
		{"gnu-9.1-partial.txt", 6, 0.0970833, 3},
		{"gnu-8.x-emmc.txt", 1073741824, 99.4486, 3},
		{"gnu-old.txt", 65536000, 2.65218, 3},
		{"gnu-old-fr.txt", 1073741824, 4.37831, 3},
		{"gnu-old-progress.txt", 421527552, 47.5528, 4},
		{"gnu-ru.txt", 8, 0.0273404, 3},
		{"gnu-5.txt", 10485760, 0.028418, 3},
		{"busybox-openwrt.txt", 27787264, 20.743084, 3},
		{"macos.txt", 1021592274, 480.752682, 3},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := New().Parse(measured(captured.Bytes(t, c.file), "dd", "if=a", "of=b", "bs=1M", "conv=fdatasync"))
			if err != nil {
				t.Fatal(err)
			}
			repeat := assay.Repeat{Measurements: got}
			for metric, want := range map[string]float64{
				"storage.write.bytes":     float64(c.bytes),
				"storage.write.bandwidth": float64(c.bytes) / c.seconds,
				"tool.duration":           c.seconds,
			} {
				m := repeat.Measurement(metric)
				if m == nil {
					t.Fatalf("no %s", metric)
				}
				if m.Value != want || m.Line != c.line {
					t.Errorf("%s = %v on line %d, want %v on line %d", metric, m.Value, m.Line, want, c.line)
				}
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	two := captured.Text(t, "gnu-old.txt")
	for name, c := range map[string]struct {
		stderr string
		says   string
	}{
		"full disk":           {captured.Text(t, "gnu-9.1-enospc.txt"), "No space left on device"},
		"full disk in German": {captured.Text(t, "gnu-9.1-enospc-de_DE.txt"), "Auf dem Gerät ist kein Speicherplatz"},
		"read error":          {captured.Text(t, "gnu-old-read-error.txt"), "Input/output error"},
		"nothing copied":      {captured.Text(t, "gnu-9.1-zero.txt"), "copied 0 bytes"},
		"records only":        {captured.Text(t, "busybox-1.35.0-debian.txt"), "neither bytes nor seconds"},
		"no seconds":          {captured.Text(t, "busybox-zero-time.txt"), "neither bytes nor seconds"},
		"fdatasync refused":   {captured.Text(t, "busybox-1.35.0-fdatasync.txt"), "invalid argument"},
		"zero seconds":        {"1+0 records out\n512 bytes copied, 0 s, Infinity B/s\n", "0 s"},
		"too many bytes":      {"99999999999999999999 bytes copied, 1 s, 1 B/s\n", "not a number of bytes"},
		"too many seconds":    {"9 bytes copied, 1e999 s, 1 B/s\n", "not a number of seconds"},
		"two commands":        {two + two, "several dd commands"},
		"nothing":             {"", "printed no usable output"},
		"not dd":              {"bonnie 1.03\n", "printed no usable output"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := New().Parse(measured([]byte(c.stderr), "dd", "if=a", "of=b"))
			if err == nil {
				t.Fatalf("gave %v", got)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
	refused := measured(captured.Bytes(t, "busybox-1.35.0-fdatasync.txt"), "dd", "if=a", "of=b")
	if _, err := New().Parse(refused); assay.Hint(err) != hintCoreutils {
		t.Errorf("busybox's refusal has the hint %q", assay.Hint(err))
	}
	if _, err := New().Parse(assay.Transcript{}); !errors.Is(err, assay.ErrNoOutput) {
		t.Errorf("no step: %v", err)
	}
}

func TestParseAddsThePassesUp(t *testing.T) {
	line := func(s string) assay.Step {
		return assay.Step{Name: stepMeasure, Argv: []string{"dd", "if=f", "of=/dev/null", "bs=1M"},
			Output: assay.Output{Stderr: []byte("1048576 bytes copied, " + s + " s, 1 MB/s\n")}}
	}
	got, err := New().Parse(assay.Transcript{Steps: []assay.Step{line("1"), line("3")}})
	if err != nil {
		t.Fatal(err)
	}
	m := got[0]
	if m.Metric != "storage.read.bandwidth" || m.Value != 2*1048576/4.0 {
		t.Errorf("%s = %v", m.Metric, m.Value)
	}
	if m.Labels["passes"] != "2" || m.Labels["size"] != "1048576" {
		t.Errorf("labels %v", m.Labels)
	}
}

func TestLabelsSayWhatHappened(t *testing.T) {
	for _, c := range []struct {
		argv string
		op   string
		want map[string]string
	}{
		{"dd if=/dev/zero of=/root/f bs=1M count=1024 conv=fdatasync", "",
			map[string]string{"pattern": "write", "source": "zero", "sync": "fdatasync", "bs": "1m", "file": "/root/f", "direct": "0", "layout": "truncated"}},
		{"dd if=/s of=/f bs=1M conv=notrunc,fdatasync", opWrite,
			map[string]string{"sync": "fdatasync", "layout": "overwritten", "file": ""}},
		{"sudo dd if=/dev/sda of=/dev/null iflag=direct,nonblock bs=1k", "",
			map[string]string{"pattern": "read", "direct": "1", "sync": "0", "cache": "", "file": "/dev/sda", "bs": "1k"}},
		{"dd if=/dev/zero of=f oflag=direct oflag=dsync obs=8k", "",
			map[string]string{"direct": "1", "sync": "dsync", "bs": "8k"}},
		{"dd if=/a of=/b conv=sync", "", map[string]string{"sync": "0", "bs": "512"}}, // pads, does not flush
		{"dd if=/f of=/dev/null bs=1M", opReadWarm, map[string]string{"cache": "warm"}},
		{"dd if=/root/data of=/dev/zero bs=512k", "", map[string]string{"pattern": "read", "file": "/root/data"}},
	} {
		tr := measured(captured.Bytes(t, "gnu-9.1-C.txt"), c.argv)
		tr.Settings = map[string]string{"op": c.op}
		got, err := New().Parse(tr)
		if err != nil {
			t.Fatalf("%s: %v", c.argv, err)
		}
		for name, want := range c.want {
			if got[0].Labels[name] != want {
				t.Errorf("%s: label %s is %q, want %q", c.argv, name, got[0].Labels[name], want)
			}
		}
	}
	for _, argv := range []string{"dd bs=1M", "dd if=/dev/zero of=/dev/null", "dd if=/dev/urandom of=/dev/zero"} {
		if got, err := New().Parse(measured(captured.Bytes(t, "gnu-9.1-C.txt"), argv)); err == nil {
			t.Errorf("%q: gave %v", argv, got)
		}
	}
}

// A dd told to continue past input errors measured what it reports; any other dd stopped
// at the error.
func TestGoesOnPastReadErrors(t *testing.T) {
	const said = "11126841344 octets (11 GB, 10 GiB) copiés, 160 s, 69,4 MB/s\ndd: erreur de lecture dans '/dev/sda': Erreur d'entrée/sortie\n" +
		"169782+1 enregistrements lus\n169782+1 enregistrements écrits\n11126841344 octets (11 GB, 10 GiB) copiés, 164,843 s, 67,5 MB/s\n"
	got, err := New().Parse(pasted(said, "dd if=/dev/sda of=/dev/null bs=64k conv=noerror status=progress"))
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Metric != "storage.read.bandwidth" || got[0].Value != 11126841344/164.843 || got[0].Labels["read_errors"] != "1" {
		t.Errorf("%+v", got[0])
	}
	for name, argv := range map[string]string{
		"not told to go on": "dd if=/dev/sda of=/dev/null bs=64k", "an error of the output": "dd if=/dev/sdb of=/dev/sda bs=64k conv=noerror",
	} {
		if got, err := New().Parse(pasted(said, argv)); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestColdIsOnlyWhatWasDropped(t *testing.T) {
	step := func(name string, exit int, stdout string) assay.Step {
		return assay.Step{Name: name, Output: assay.Output{Exit: exit, Stdout: []byte(stdout)}}
	}
	for name, c := range map[string]struct {
		steps []assay.Step
		fs    string
		want  string
	}{
		"root":                     {[]assay.Step{step(stepDropCaches, 0, ""), step(stepAdvise, 0, ""), step(stepResident, 0, "0\n")}, "ext4", cacheDropped},
		"root without fincore":     {[]assay.Step{step(stepDropCaches, 0, ""), step(stepAdvise, 1, ""), step(stepResident, 127, "")}, "ext4", cacheDropped},
		"user":                     {[]assay.Step{step(stepAdvise, 0, ""), step(stepResident, 0, "4096\n")}, "ext4", cacheAdvised},
		"refused, then advised":    {[]assay.Step{step(stepDropCaches, 2, ""), step(stepAdvise, 0, "")}, "ext4", cacheAdvised},
		"neither":                  {[]assay.Step{step(stepDropCaches, 2, ""), step(stepAdvise, 1, "")}, "ext4", cacheKept},
		"advised but still there":  {[]assay.Step{step(stepAdvise, 0, ""), step(stepResident, 0, "67108864\n")}, "tmpfs", cacheKept},
		"zfs does not take advice": {[]assay.Step{step(stepAdvise, 0, ""), step(stepResident, 0, "0\n")}, "zfs", cacheKept},
		"nothing was tried":        {nil, "ext4", cacheKept},
	} {
		tr := measured(captured.Bytes(t, "gnu-9.1-C.txt"), "dd", "if=f", "of=/dev/null", "bs=1M")
		tr.Settings = map[string]string{"op": opReadCold, "file_system": c.fs}
		tr.Steps = append(c.steps, tr.Steps...)
		got, err := New().Parse(tr)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if cache := got[0].Labels["cache"]; cache != c.want {
			t.Errorf("%s: %q, want %q", name, cache, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Bytes(f, filepath.Base(file)), "dd if=/dev/zero of=f bs=1M")
		f.Add(captured.Bytes(f, filepath.Base(file)), "dd if=f of=/dev/null bs=2x512 iflag=direct")
	}
	f.Fuzz(func(t *testing.T, text []byte, argv string) {
		for _, tr := range []assay.Transcript{measured(text, argv), pasted(string(text), argv)} {
			got, err := New().Parse(tr)
			probetest.CheckParsed(t, got, err, string(text))
			probetest.CheckNoZero(t, got)
		}
		for line := range strings.Lines(string(text)) {
			if begins(line) {
				splits(text, line)
			}
		}
	})
}
