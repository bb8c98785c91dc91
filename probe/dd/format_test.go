package dd

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/internal/captured"
)

// pasted returns output as quoted in a text: both streams in one.
func pasted(text string, argv ...string) assay.Transcript {
	return assay.Transcript{Probe: "dd", Steps: []assay.Step{{Name: stepMeasure, Argv: argv, Output: assay.Output{Stdout: []byte(text)}}}}
}

var write = strings.Fields("dd if=/dev/zero of=f bs=1M")

func TestParsePasted(t *testing.T) {
	for _, c := range []struct {
		file    string
		bytes   float64
		seconds float64
		line    int
	}{
		{"gnu-9.1-nl_BE", 67108864, 0.202526, 3},
		{"gnu-9.1-hr_HR", 67108864, 0.203332, 3},
		{"gnu-9.1-et_EE", 67108864, 0.222414, 3},
		{"gnu-9.1-de_DE", 67108864, 0.0294214, 3},
		{"gnu-9.1-zh_CN", 67108864, 0.0281005, 3},
		{"gnu-9.1-uk_UA", 67108864, 0.029201, 3},
		{"gnu-old-ja", 536870912, 5.02762, 3},
		{"gnu-old-pl", 838860800, 0.91047, 3},
		{"gnu-old-it", 1073741824, 1.71588, 3},
		{"gnu-8-it", 5120000, 14.6892, 3},
		{"gnu-old-es", 1073741824, 1.06868, 3},
		{"gnu-8-pt_BR", 83886080, 0.0495489, 3},
		{"gnu-old-ru", 1073741824, 7.77424, 3},
		{"gnu-8-ru-progress", 209715200, 8.69378, 4},
		{"gnu-old-fr", 1073741824, 4.37831, 3},
		{"gnu-4-seconds", 33554432, 3.184339, 3},
		{"freebsd-13.2-progress", 32505856, 1.522773, 4},
		{"macos-progress", 4277141504, 64.544772, 4},
		{"macos", 1021592274, 480.752682, 3},
		{"netbsd-whole-seconds", 100, 1, 3},
		{"busybox-container", 33554432, 0.015512, 3},
		{"busybox-openwrt", 27787264, 20.743084, 3},
		{"byhand-toybox", 4194304, 0.010, 3},
	} {
		text := captured.Text(t, c.file+".txt")
		for name, noisy := range map[string]string{
			"alone":      text,
			"with CRLF":  strings.ReplaceAll(text, "\n", "\r\n"),
			"with prose": text + "\nThat is 3 times, 5 s each w/ caches.\ndd: a fine tool\nreal    0m4.943s\n100 MB/s\n",
		} {
			got, err := New().Parse(pasted(noisy, write...))
			if err != nil {
				t.Errorf("%s %s: %v", c.file, name, err)
				continue
			}
			repeat := assay.Repeat{Measurements: got}
			rate, seconds := repeat.Measurement("storage.write.bandwidth"), repeat.Measurement("tool.duration")
			if math.Abs(rate.Value/(c.bytes/c.seconds)-1) > 1e-12 || seconds.Value != c.seconds || rate.Line != c.line {
				t.Errorf("%s %s: %v B/s in %v s on line %d, want %v in %v on %d", c.file, name, rate.Value, seconds.Value, rate.Line, c.bytes/c.seconds, c.seconds, c.line)
			}
		}
	}
}

// Without its command, a result is a copy, in any language: nothing shows
// whether storage was read or written, how, and in which block size.
func TestResultsWithoutTheirCommand(t *testing.T) {
	for _, c := range []struct {
		file           string
		bytes, seconds float64
	}{
		{"gnu-9.1-C.txt", 67108864, .146128},
		{"gnu-old-ja.txt", 536870912, 5.02762},
		{"gnu-9.1-de_DE.txt", 67108864, .0294214},
		{"busybox-openwrt.txt", 27787264, 20.743084},
		{"macos.txt", 1021592274, 480.752682},
		{"freebsd-13.2-progress.txt", 32505856, 1.522773},
		{"netbsd-whole-seconds.txt", 100, 1},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := New().Parse(pasted(captured.Text(t, c.file)))
			if err != nil {
				t.Fatal(err)
			}
			repeat := assay.Repeat{Measurements: got}
			rate, amount, seconds := repeat.Measurement("storage.copy.bandwidth"), repeat.Measurement("storage.copy.bytes"), repeat.Measurement("tool.duration")
			if len(got) != 3 || rate == nil || amount.Value != c.bytes || seconds.Value != c.seconds || rate.Value != c.bytes/c.seconds {
				t.Fatalf("got %+v", got)
			}
			for _, label := range []string{"pattern", "direct", "sync", "bs", "layout", "file", "cache"} {
				if v, ok := rate.Labels[label]; ok {
					t.Errorf("has label %s=%q: its output does not show it", label, v)
				}
			}
		})
	}
}

// dd ends with an error when it has filled a device, but the result counts.
func TestADeviceWrittenToItsEnd(t *testing.T) {
	text := captured.Text(t, "gnu-9.1-device-filled.txt")
	for _, command := range []string{"", "dd if=/dev/zero of=/dev/loop4 bs=1M"} {
		got, err := New().Parse(pasted(text, strings.Fields(command)...))
		if err != nil {
			t.Fatal(err)
		}
		rate := assay.Repeat{Measurements: got}.Measurement("storage.write.bandwidth")
		if rate == nil || math.Abs(rate.Value/(67108864/3.18161)-1) > 1e-12 || rate.Labels["file"] != "/dev/loop4" {
			t.Errorf("%q: %+v", command, got)
		}
	}
}

// dd's message about a file opens its output.
func TestComplaintsBegin(t *testing.T) {
	for line, want := range map[string]bool{
		"dd: error writing '/tmp/small/f': No space left on device":                                         true,
		"dd: writing `/mnt/x': No space left on device":                                                     true,
		"dd: Fehler beim Schreiben von '/tmp/small/f': Auf dem Gerät ist kein Speicherplatz mehr verfügbar": true,
		"dd: écriture vers «\u00a0f\u00a0»: Aucun espace disponible sur le périphérique":                    true,
		"dd: /dev/disk2: Permission denied":                                                                 true,
		"dd: warning: partial read (65536 bytes); suggest iflag=fullblock":                                  false,
		"Use dd: it is everywhere":                                                                          false,
		"dd: a tool":                                                                                        false,
		"fio: pid=0, err=28/file:io_u.c:1889, func=io_u error, error=No space left on device":               false,
	} {
		if begins(line) != want {
			t.Errorf("%q begins: %v", line, !want)
		}
	}
	full := captured.Text(t, "gnu-9.1-enospc.txt")
	first, _, _ := strings.Cut(full, "\n")
	if !splits([]byte(full), first) || splits([]byte(first+"\n"), "9+0 records in") {
		t.Error("an error begins the next output, and the records after it go on")
	}
}

func TestPastedErrors(t *testing.T) {
	plain := captured.Text(t, "gnu-9.1-C.txt")
	for _, c := range []struct {
		name, text, command, says, hint string
	}{
		{"half a command", plain, "dd bs=1M", "cannot tell whether it read or wrote", "command line"},
		{"full disk", captured.Text(t, "gnu-9.1-enospc.txt"), "dd if=/dev/zero of=f", "stopped by a full disk", "free some space"},
		{"full disk without the command", captured.Text(t, "gnu-9.1-enospc.txt"), "", "stopped by a full disk", "free some space"},
		{"full disk in German", captured.Text(t, "gnu-9.1-enospc-de_DE.txt"), "", "stopped by a full disk", "free some space"},
		{"full disk of busybox", captured.Text(t, "busybox-1.35.0-enospc.txt"), "", "stopped by a full disk", "free some space"},
		{"could not be opened", "dd: failed to open '/mnt/x': Permission denied\n", "dd if=/dev/zero of=/mnt/x", "Permission denied", "can write"},
		{"old busybox", captured.Text(t, "busybox-1.35.0-debian.txt"), "dd if=/dev/zero of=f", "neither bytes nor seconds", "coreutils"},
		{"cut after the records", plain[:strings.LastIndex(plain[:len(plain)-1], "\n")+1], "dd if=/dev/zero of=f", "neither bytes nor seconds", ""},
		{"cut in the summary", plain[:len(plain)-12], "dd if=/dev/zero of=f", "neither bytes nor seconds", ""},
		{"memory only", plain, "dd if=/dev/zero of=/dev/null", "measures no storage", ""},
	} {
		got, err := New().Parse(pasted(c.text, strings.Fields(c.command)...))
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(assay.Hint(err), c.hint) {
			t.Errorf("%s: got %v, %v (hint %q)", c.name, got, err, assay.Hint(err))
		}
	}
}

func TestFormatBegins(t *testing.T) {
	f := New().(assay.Measurer).Format()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 30 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		if strings.Contains(file, "fdatasync") {
			continue // an error and nothing else
		}
		if text := captured.Text(t, filepath.Base(file)); !slices.ContainsFunc(strings.Split(text, "\n"), f.Begins) {
			t.Errorf("nothing begins in %s:\n%s", file, text)
		}
	}
	captured.Begins(t, f, []string{
		"\t8067064+0 records in", "^C0+0 записей получено", "记录了1024+0 的读入", "2018+1 records in",
		"1073741824 bytes (1.1 GB, 1.0 GiB) copied, 99.4486 s, 10.8 MB/s", "512 bytes copied, 3.1707e-05 s, 16.1 MB/s",
		"59 bytes transferred in 0.000127 secs (464285 bytes/sec)",
	}, []string{
		"", "1+1 is two", "C++17+0 records", "we kept 2+1 records in the end, and more", "1024+0", "2+2 = 4 records", "git diff 12+3 records/x",
		"I/kickstart(  870): STATUS: 950272 bytes transferred in 0.985544 seconds", "10 MB copied, 3 s", "sent 1073741824 bytes", "3+1 bottles",
	})
}

// Cut by the format, a log gives one output for each dd.
func TestFormatSplits(t *testing.T) {
	f := New().(assay.Measurer).Format()
	cut := func(text string) (parts []string) {
		for line := range strings.Lines(text) {
			if f.Begins(line) && (len(parts) == 0 || f.Splits([]byte(parts[len(parts)-1]), line)) {
				parts = append(parts, "")
			}
			if len(parts) > 0 {
				parts[len(parts)-1] += line
			}
		}
		return parts
	}
	read := func(name string) string { return captured.Text(t, name+".txt") }
	for name, c := range map[string]struct {
		text string
		want int
	}{
		"four":                    {read("gnu-9.1-C") + read("gnu-9.1-de_DE") + "prose\n" + read("macos") + read("busybox-openwrt"), 4},
		"progress":                {read("macos-progress") + read("freebsd-13.2-progress"), 2},
		"busybox without summary": {read("busybox-1.35.0-debian") + read("busybox-1.35.0-debian"), 2},
		"summaries alone": {"2076180480 bytes (2.1 GB) copied, 13.8386 s, 150 MB/s\n2076180480 bytes (2.1 GB) copied, 14.6904 s, 141 MB/s\n" +
			"2076180480 bytes (2.1 GB) copied, 4.57828 s, 453 MB/s\n", 3},
		"progress of one": {"381681664 bytes (382 MB, 364 MiB) copied, 1 s, 381 MB/s\n734003200 bytes (734 MB, 700 MiB) copied, 2 s, 367 MB/s\n700+0 records in\n700+0 records out\n734003200 bytes (734 MB, 700 MiB) copied, 2.00173 s, 367 MB/s\n", 1},
	} {
		if parts := cut(c.text); len(parts) != c.want {
			t.Errorf("%s: %d outputs, want %d: %q", name, len(parts), c.want, parts)
		}
	}
}

// A log of hours of progress is no reason to wait.
func TestSplitsLooksAtTheEnd(t *testing.T) {
	f := New().(assay.Measurer).Format()
	var log strings.Builder
	for i := 1; i <= 20_000; i++ {
		fmt.Fprintf(&log, "%d bytes (1.0 GB) copied, %d s, 1.0 GB/s\n", i*1_000_000_000, i)
	}
	sofar := []byte(log.String())
	begun := time.Now()
	for range 500 {
		if f.Splits(sofar, "20001000000000 bytes (1.0 GB) copied, 20001 s, 1.0 GB/s") {
			t.Fatal("a line of progress begins another dd")
		}
	}
	if took := time.Since(begun); took > time.Minute { // all of it each time would take minutes
		t.Errorf("500 lines took %v", took)
	}
}

func TestBlockWords(t *testing.T) {
	for word, want := range map[string]string{
		"1M": "1m", "1m": "1m", "1MiB": "1m", "4k": "4k", "4K": "4k", "8KiB": "8k", "512": "512", "1G": "1024m", "1MB": "1000000", "64kB": "64000",
		"64kD": "64000", "2b": "1k", "1kx4": "4k", "2x512": "1k", "1048576": "1m", "10c": "10", "3w": "6",
		"$((1024*1024))": "$((1024*1024))", "0": "0", "9999999999999G": "9999999999999G", "x": "x",
	} {
		if got := blockSize(map[string]string{"bs": word}, "read"); got != want {
			t.Errorf("bs=%s is %q, want %q", word, got, want)
		}
	}
}
