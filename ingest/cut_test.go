package ingest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
)

// counter is a tool for the tests: "counter 1" opens an output, "total N" is
// its figure; as JSON, {"counter": …, "total": N}.
type counter struct{}

func (counter) Format() assay.Format {
	return assay.Format{
		Tool: "counter", Commands: []string{"counter"},
		Begins: func(line string) bool {
			return strings.HasPrefix(line, "counter 1") || strings.HasPrefix(line, "part ")
		},
		Splits:  func(_ []byte, next string) bool { return !strings.HasPrefix(next, "part ") },
		Accepts: func(keys []string) bool { return len(keys) > 0 && keys[0] == "counter" },
	}
}

func (counter) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var all []assay.Measurement
	for i, line := range strings.Split(string(tr.Steps[0].Output.Stdout), "\n") {
		var word string
		if n, err := fmt.Sscanf(strings.TrimSpace(strings.NewReplacer(`"`, "", ":", " ", ",", "", "}", "", "]", "").Replace(line)), "total %s", &word); n != 1 || err != nil {
			continue
		}
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return all, fmt.Errorf("line %d: %q is no total", i+1, word)
		}
		all = append(all, assay.Measurement{Metric: "storage.read.iops", Value: v, Unit: assay.PerSecond, Line: i + 1,
			Labels: map[string]string{"job": strconv.Itoa(len(all)), "argv": strings.Join(tr.Steps[0].Argv, "|")}})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no total: %w", assay.ErrNoOutput)
	}
	return all, nil
}

// asker learns the amount of memory.
type asker struct{}

func (asker) Format() assay.Format {
	return assay.Format{Tool: "asker", Commands: []string{"asker"}, Begins: func(line string) bool { return strings.HasPrefix(line, "memory: ") }}
}

func (asker) Learn(tr assay.Transcript, f *assay.Facts) error {
	_, err := fmt.Sscanf(string(tr.Steps[0].Output.Stdout), "memory: %d", &f.Memory.Total)
	return err
}

var tools = []assay.Reader{counter{}, asker{}}

// told returns what was found in a text: "line value argv host".
func told(t *testing.T, text string) (got []string, r Reading, err error) {
	t.Helper()
	err = r.Read("f", strings.NewReader(text), tools)
	for _, it := range r.Items {
		for _, m := range it.Repeats[0].Measurements {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d: %g %s %s", m.Line, m.Value, m.Labels["argv"], it.Trial.Subject.Host)))
		}
	}
	return got, r, err
}

func TestOutputsAreFound(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"alone", "counter 1\ntotal 5\n", []string{"2: 5"}},
		{"CRLF and no end of line", "counter 1\r\ntotal 5", []string{"2: 5"}},
		{"byte order mark", "\ufeffcounter 1\ntotal 5\n", []string{"2: 5"}},
		{"two, one after the other", "counter 1\ntotal 5\ncounter 1\ntotal 6\n", []string{"2: 5", "4: 6"}},
		{"parts of one", "counter 1\ntotal 5\npart 2\ntotal 6\n", []string{"2: 5", "4: 6"}},
		{"colours", "\x1b[1mcounter 1\x1b[0m\n\x1b[32mtotal 5\x1b[0m\x1b]0;title\x07\n", []string{"2: 5"}},
		{"progress", "counter 1\n10 %\r50 %\r100 %\rtotal 5\r\n", []string{"2: 5"}},
		{"typed over", "counter 1\ntotx\bal 5\n", []string{"2: 5"}},
		{"quoted", "> counter 1\n> total 5\n", []string{"2: 5"}},
		{"from a container's log", "2025-11-14T20:20:26.123456789Z stdout F counter 1\n2025-11-14T20:20:27Z total 5\n", []string{"2: 5"}},
		{"from a test runner's log", "12:10:43 DEBUG| [stdout] counter 1\n12:10:43 DEBUG| [stdout] total 5\n", []string{"2: 5"}},
		{"from the journal", "Nov 14 20:20:26 pve1 fio[311]: counter 1\nNov 14 20:20:26 pve1 fio[311]: total 5\n", []string{"2: 5"}},
		{"what the author emphasised twice", "counter 1\ntotal ***5***\n", []string{"2: 5"}},
		{"what stands between the tags of a forum", "[code]counter 1\ntotal 5[/code]\n", []string{"2: 5"}},
		{"tags in capitals, on lines of their own", "[CODE]\ncounter 1\ntotal 5\n[/CODE]\n", []string{"3: 5"}},
		{"lines in backquotes", "`counter --n=1`\n`counter 1`\n` total 5`\n", []string{"3: 5 counter|--n=1"}},
		{"lines between two backquotes", "`counter 1\ntotal 5`\n", []string{"2: 5"}},
		{"a list of lines in backquotes", "* `counter --n=1`\n* `counter 1`\n* `total 5`\n", []string{"3: 5 counter|--n=1"}},
		{"a command beside a fence", "```counter --n=1\ncounter 1\ntotal 5\n```\n", []string{"3: 5 counter|--n=1"}},
		{"output beside both fences", "```counter 1\ntotal 5```\ntotal 6\n", []string{"2: 5"}},
		{"a command between fences on its line", "```counter --n=1```\n```\ncounter 1\ntotal 5\n```\n", []string{"4: 5 counter|--n=1"}},
		{"a language beside a fence", "```counter\ncounter 1\ntotal 5\n```\n", []string{"3: 5"}},
		{"what the author emphasised", "counter 1\n**total 5**\n", []string{"2: 5"}},
		{"prompt of busybox", "/ # counter --n=1\ncounter 1\ntotal 5\n", []string{"3: 5 counter|--n=1"}},
		{"prompt with host and directory", "linux:/xfs/a # counter --n=1\ncounter 1\ntotal 5\n", []string{"3: 5 counter|--n=1 linux"}},
		{"prompt of bash without a profile", "bash-4.4$ counter --n=1\ncounter 1\ntotal 5\n", []string{"3: 5 counter|--n=1"}},
		{"hard spaces", "counter\u00a01\ntotal\u00a05\n", []string{"2: 5"}},
		{"entities", "counter 1 &gt;\ntotal 5\n", []string{"2: 5"}},
		{"prompt of a host", "root@pve1:~# counter --n=1 'a b' | tee x\ncounter 1\ntotal 5\nroot@pve1:~# ls\ntotal 9\n", []string{"3: 5 counter|--n=1|a b pve1"}},
		{"prompt with blanks and user", "[me@box dir]$ sudo -E TIME=1 nice -n 5 /usr/bin/counter -v\ncounter 1\ntotal 5\n", []string{"3: 5 counter|-v box"}},
		{"prompt of a shell", "$ counter -v > out 2>&1; cat out\ncounter 1\ntotal 5\n", []string{"3: 5 counter|-v"}},
		{"root's prompt, no heading", "# counter --n=1\ncounter 1\ntotal 5\n# counter is fine\n", []string{"3: 5 counter|--n=1"}},
		{"continued", "$ counter --a=1 \\\n    --b=2 \\\n  --c=3\ncounter 1\ntotal 5\n", []string{"5: 5 counter|--a=1|--b=2|--c=3"}},
		{"command and output in two blocks", "```\ncounter --a=1\n```\ngives\n```\ncounter 1\ntotal 5\n```\ntotal 6\n", []string{"7: 5 counter|--a=1"}},
		{"a command long before is not its own", "$ counter --a=1\n```\n```\n" + strings.Repeat("prose\n", 20) + "counter 1\ntotal 5\n", []string{"25: 5"}},
		{"a command of another tool", "$ asker --a=1\ncounter 1\ntotal 5\n", []string{"3: 5"}},
		{"no head, but a command", "$ counter --a=1\ntotal 5\n", []string{"2: 5 counter|--a=1"}},
		{"JSON", "{\n  \"counter\": 1,\n  \"total\": 5\n}\n", []string{"3: 5"}},
		{"JSON behind notes", "note: hello\n$ counter -j\n{\"counter\": 1,\n\"total\": 5\n}\nmore\n", []string{"4: 5 counter|-j"}},
		{"two documents", "{\"counter\": {\"a}\": [1]},\n\"total\": 5\n}\n{\"counter\": \"\\\"}\",\n\"total\": 6}\n", []string{"2: 5", "5: 6"}},
		{"JSON in an array", "[{\"counter\": 1,\n\"total\": 5}]\n", []string{"2: 5"}},
		{"a brace that is none of JSON", "{{< ad >}}\n[link](x)\n{\nint x;\n}\ncounter 1\ntotal 5\n", []string{"7: 5"}},
		{"JSON that does not close, then an output", "{\n\"other\": 1,\ncounter 1\ntotal 5\n", []string{"4: 5"}},
		{"a heading ends it", "counter 1\ntotal 5\n## Then\ntotal 6\n", []string{"2: 5"}},
		{"prose between a command and an output", "$ counter --a=1\nThat took a while.\n\ncounter 1\ntotal 5\n", []string{"5: 5 counter|--a=1"}},
		{"a page of prose behind a command", "counter --a=1\n" + strings.Repeat("prose\n", 20) + "counter 1\ntotal 5\n", []string{"23: 5"}},
		{"a table behind a command without output", "counter --a=1\n\n| drive | read IOPS | write IOPS |\n|---|---|---|\n| a | 100 | 50 |\n| b | 200 | 60 |\n",
			[]string{"5: 100", "5: 50", "6: 200", "6: 60"}},
		{"a table between a command and its output", "counter --a=1\n\n| drive | read IOPS |\n|---|---|\n| a | 100 |\n| b | 200 |\n\ncounter 1\ntotal 5\n",
			[]string{"9: 5 counter|--a=1", "5: 100", "6: 200"}},
		{"UTF-16", "\xff\xfec\x00o\x00u\x00n\x00t\x00e\x00r\x00 \x001\x00\r\x00\n\x00t\x00o\x00t\x00a\x00l\x00 \x005\x00", []string{"2: 5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, r, err := told(t, c.text)
			if err != nil {
				t.Fatalf("%v (unread: %v)", err, r.Unread)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatCannotBeReadSaysWhy(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "f is empty"},
		{"blank", " \n\n", "f is empty"},
		{"binary", "\x00\x01\x02", "f is a binary file, not text"},
		{"gzip", "\x1f\x8b\x08rest", "f is compressed with gzip, not text"},
		{"PDF", "%PDF-1.4", "f is a PDF document, not text"},
		{"prose", "It was a dark night, and nobody had measured anything at all.\n", `nothing in it was recognised; it looks like prose, beginning "It was a dark`},
		{"a table of words and figures", "model        size   seen in node   state of it   since when\nPM9A3  960   1  ok 1 2024\n", "it looks like other text"},
		{"a tool that is not read", "run 3\n\nGeekbench 6.2.1 : https://www.geekbench.com/\n\nBenchmark Summary\n", "f:3: this is Geekbench: its score"},
		{"JSON that is not read", `{"blockdevices": [{"name": "sda"}]}` + "\n", "f:1: this is lsblk: "},
		{"log", "Nov 14 20:20:26 host kernel: up\nNov 14 20:20:27 host kernel: down\n", "it looks like a log"},
		{"CSV", "a,b,c,d\n1,2,3,4\n", "it looks like a CSV file without the columns host, subject, metric, value, unit"},
		{"HTML", "<html><body>no</body></html>\n", "it looks like HTML or XML"},
		{"another language", "这是一个测试文件，里面没有任何结果\n", "text in an unsupported language"},
		{"a table in doubt", "| drive | speed |\n|---|---|\n| a | 12 read IOPS/W |\n\n| test | x |\n|---|---|\n| 4k random read | quick 5 |\n", `f:7: "quick 5" under "4k random read" is not a plain number`},
		{"JSON of another tool", `{"name": "x", "version": 1}` + "\n", "f:1: JSON with the keys name, version: from an unsupported tool"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := told(t, c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("gives %v, want %q", err, c.want)
			}
		})
	}
}

func TestUnreadPlacesAreNamed(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a tool that failed", "counter 1\nno figures\n", "f:1: no total"},
		{"a broken figure", "\ncounter 1\ntotal x\n", `f:2: line 3: "x" is no total`},
		{"JSON of another tool", "counter 1\ntotal 1\n```\n{\"name\": \"x\", \"version\": 1}\n", "f:4: JSON with the keys name, version: from an unsupported tool"},
		{"a command that only asks", "$ counter --version\n2.0\n$ counter prepare\nmade\n$ counter --a=1\ncounter: no\n", "f:6: counter: no"},
		{"a tool that is not read, twice", "counter 1\ntotal 1\nGeekbench 6.2.1 : x\ntotal 7\nGeekbench 6.2.1 : x\n", "f:3: this is Geekbench: "},
		{"a kernel's line within an output", "counter 1\n[   12.345678] usb 1-1: new device\ntotal 1\nGeekbench 6.2.1 : x\n", "f:4: this is Geekbench: "},
		{"cut off", "counter 1\ntotal 1\n```\n{\"counter\": 1,\n\"tot", "f:4: no total"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r, _ := told(t, c.text)
			if len(r.Unread) != 1 {
				t.Fatalf("unread: %v", r.Unread)
			}
			u := r.Unread[0]
			if got := fmt.Sprintf("%s:%d: %s", u.File, u.Line, u.Why); !strings.HasPrefix(got, c.want) {
				t.Errorf("says %q, want %q", got, c.want)
			}
		})
	}
}

// A table of a command's results gets the command's settings.
func TestATableUnderItsCommand(t *testing.T) {
	_, r, err := told(t, "```\n$ fio --name=x --ioengine=libaio --rw=read \\\n  --bs=4k --iodepth=1 --direct=1\n```\n\n| drive | Bandwidth (MB/s) | IOPS |\n|---|---|---|\n| a | 400 | 100000 |\n| b | 300 | 75000 |\n")
	if err != nil || len(r.Items) != 2 {
		t.Fatalf("%d results, %v", len(r.Items), err)
	}
	m := r.Items[0].Repeats[0].Measurements[0]
	if m.Line != 8 || m.Labels["bs"] != "4k" || m.Labels["iodepth"] != "1" || m.Labels["direct"] != "1" || m.Labels["engine"] != "libaio" {
		t.Errorf("%+v", m)
	}
}

func TestACommandAloneIsNoPlaceThatWasNotRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"prose follows", "$ counter --a=1\nThis counts things. The results come later.\n\n```\ncounter 1\ntotal 5\n```\n", ""},
		{"another sub-command", "$ counter --list\na  b  c\n1  2  3\n\ncounter 1\ntotal 5\n", ""},
		{"it failed", "$ counter --a=1\ncounter: cannot open x: Permission denied\n\n", "f:2: counter: cannot open x: Permission denied"},
		{"it is not installed", "$ sudo counter --a=1\nsudo: /usr/bin/counter: command not found\n", "f:2: sudo: /usr/bin/counter: command not found"},
		{"a note of the same look", "$ counter --a=1\nThe counter: a tool.\n", ""},
		{"its version was asked for", "$ counter --version\ncounter 1\n$ ls\n", ""},
		{"its version, in short", "$ ./counter -v\ncounter 1\n$ ls\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r, _ := told(t, c.text)
			got := ""
			for _, u := range r.Unread {
				got += fmt.Sprintf("%s:%d: %s", u.File, u.Line, u.Why)
			}
			if got != c.want {
				t.Errorf("says %q, want %q", got, c.want)
			}
		})
	}
}

func TestFactsAreLearnedOfTheHostOfThePrompt(t *testing.T) {
	_, r, err := told(t, "root@pve1:~# asker\nmemory: 7\nroot@pve2:~# asker\nmemory: 8\n")
	if err != nil || r.Facts["pve1"].Memory.Total != 7 || r.Facts["pve2"].Memory.Total != 8 {
		t.Errorf("learned %+v, %v", r.Facts, err)
	}
}

func TestManyOutputsAreBounded(t *testing.T) {
	got, r, err := told(t, strings.Repeat("counter 1\ntotal 5\n", mostExcerpts+10))
	if err != nil || len(got) != mostExcerpts {
		t.Errorf("%d outputs, %v", len(got), err)
	}
	if len(r.Unread) != 1 || !strings.Contains(r.Unread[0].Why, "more than 2000 outputs") {
		t.Errorf("unread: %v", r.Unread)
	}
}

func TestCommandLines(t *testing.T) {
	known := func(p string) bool { return p == "fio" || p == "dd" || p == "sysbench" || p == "rados" }
	for _, c := range []struct {
		line string
		want string // words of the program, "-" for no command
	}{
		{"fio --name=a --rw=read", "fio --name=a --rw=read"},
		{"dd if=/dev/zero of=x bs=1M", "dd if=/dev/zero of=x bs=1M"},
		{"sysbench memory run", "sysbench memory run"},
		{"sysbench --test=cpu run", "sysbench --test=cpu run"},
		{"rados bench -p x 10 write", "rados bench -p x 10 write"},
		{"free && sync && echo 3 > /proc/sys/vm/drop_caches && free", "-"},
		{"$ sync; dd if=x of=/dev/null # cold", "dd if=x of=/dev/null"},
		{"sync; dd if=x of=/dev/null bs=1M; sync", "dd if=x of=/dev/null bs=1M"},
		{"cd /mnt && sudo sync && dd if=x of=y", "dd if=x of=y"},
		{"sync; that is what dd bs=1M leaves out", "-"},
		{"fio is a tool that measures disks.", "-"},
		{"dd with bs=1M shows what the page cache does to a naive test", "-"},
		{"fio-3.39", "-"},
		{"# Results of fio", "-"},
		{"PS C:\\Users\\me> fio.exe --name=a", "fio --name=a"},
		{"D:\\>c:\\fio\\fio --name=a", "fio --name=a"},
		{"Command: fio --name=a", "fio --name=a"},
		{"Command: look at the disk", "-"},
		{"(venv) me@box:~$ fio job.ini", "fio job.ini"},
		{"➜ ~ dd if=a of=b", "dd if=a of=b"},
	} {
		got, ok := promptIn(c.line, known)
		words := "-"
		if ok {
			words = strings.Join(programIn(got.text, known), " ")
		}
		if words != c.want {
			t.Errorf("%q is %q, want %q", c.line, words, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("$ counter -a \\\n -b\ncounter 1\ntotal 5\n{\"counter\":1,\n\"total\":2}\n```\n"))
	f.Add([]byte("{\n{\n[\n{\"a\":\n"))
	f.Add([]byte("\xff\xfea\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Reading
		_ = r.Read("f", strings.NewReader(string(b)), tools)
		lines := strings.Count(string(b), "\n") + 1
		for _, it := range r.Items {
			for _, m := range it.Repeats[0].Measurements {
				if m.Line < 1 || m.Line > lines {
					t.Fatalf("line %d of %d", m.Line, lines)
				}
			}
		}
		for _, u := range r.Unread {
			if u.Line < 1 || u.Line > lines || u.Why == "" {
				t.Fatalf("unread %+v of %d lines", u, lines)
			}
		}
	})
}

func TestComplaints(t *testing.T) {
	for line, want := range map[string]bool{
		"dd: failed to open 'x': Permission denied": true,
		"-bash: dd: command not found":              true,
		"bash: line 3: /usr/bin/dd: No such file":   true,
		"zsh: command not found: dd":                true,
		"./dd: not found":                           true,
		"dd:":                                       false,
		"The tool dd: it copies.":                   false,
		"xdd: hello":                                false,
		"1+0 records in":                            false,
		"connect failed: Connection refused":        false,
	} {
		if complains(line, "dd") != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
	if !complains("connect failed: Connection refused", "iperf") {
		t.Error("iperf 2 does not name itself")
	}
}
