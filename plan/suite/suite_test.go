package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay"
)

func TestEverySuiteLoads(t *testing.T) {
	if len(Names()) < 2 {
		t.Fatalf("suites: %v", Names())
	}
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if s.Name != name || s.Title == "" {
			t.Errorf("%s.yaml calls itself %q, titled %q", name, s.Name, s.Title)
		}
		if s.Repeats < 6 {
			t.Errorf("%s: %d repeats give no 95 %% interval of the median", name, s.Repeats)
		}
	}
	if _, err := Load("../suite/quick"); !errors.Is(err, assay.ErrNotFound) {
		t.Errorf("a path is no suite: %v", err)
	}
}

func TestOneCaseLentInSeveralWays(t *testing.T) {
	s, err := Parse([]byte("name: x\nbudget: 5m\nrepeats: 6\ncases:\n"+
		"- {probe: p, name: a, title: t, on: cpu}\n- {probe: p, name: a, title: t, on: cpu, lend: {sync: always}}\n"+
		"- {probe: p, name: a, title: t, on: cpu, lend: {sync: disabled}}\n"), "x.yaml")
	if err != nil || len(s.Cases) != 3 || s.Cases[1].Lend["sync"] != "always" {
		t.Errorf("%+v, %v", s.Cases, err)
	}
}

func TestBadSuites(t *testing.T) {
	const good = "- {probe: p, name: a, title: t, on: cpu}\n"
	for in, want := range map[string]string{
		"":                                             "x.yaml:1:1: no suite: cases are required",
		"budget: 5m\n":                                 "x.yaml:1:1: no cases",
		"budgett: 5m\ncases:\n" + good:                 `x.yaml:1:1: the file has no "budgett"; did you mean "budget"?`,
		"budget: soon\ncases:\n" + good:                `x.yaml:1:9: budget is the word "soon"; expected a time such as 90s or 1h30m`,
		"repeats: 0\ncases:\n" + good:                  "x.yaml:1:10: repeats: at least 1",
		"precision: 2\ncases:\n" + good:                "x.yaml:1:12: precision 2: use a fraction, as in 0.02",
		"name: a;b\ncases:\n" + good:                   `x.yaml:1:7: name: letters, digits, dots, dashes and underscores, not "a;b"`,
		"cases:\n- {probe: fio, name: a}\n":            "x.yaml:2:3: case a: probe, name and on are required",
		"cases:\n- {probe: fio, name: a/b, on: cpu}\n": `x.yaml:2:3: case a/b: a name has letters`,
		"cases:\n- {probe: fio, name: a, on: disk}\n":  `x.yaml:2:3: case a: there is no subject "disk"`,
		"cases:\n- {probe: fio, name: a, on: cpu, order: middle}\n": "order is first or last",
		"cases:\n" + good + good:                                    "x.yaml:3:3: duplicate case p/a: it is at x.yaml:2:3 already",
		"cases:\n- {probe: p, name: a, on: cpu, seconds: -1}\n":     "x.yaml:2:41: seconds of cases is the number -1; expected a number, 0 or more",
		"cases:\n- {probe: p, name: a, on: cpu, lend: {sync: always}}\n- {probe: p, name: a, on: cpu, lend: {sync: always}}\n": "duplicate case p/a+sync=always",
		"cases:\n- {probe: p, name: a, on: cpu, matrix: {bs: []}}\n":                                                           "bs has no values",
		"cases:\n- {probe: p, name: a, on: cpu, matrix: {bs: 4k}}\n":                                                           "expected a list",
		"cases:\n- {probe: p, name: a, on: cpu, set: {bs: 4k}, matrix: {bs: [4k, 8k]}}\n":                                      "bs is both in set: and in matrix:",
		"cases:\n- {probe: p, name: a, on: cpu, matrix: {bs: ['{bs}']}}\n":                                                     "bs: a value has at most 100 letters, and no braces",
		"cases:\n- {probe: p, name: a, on: cpu, matrix: {bs: [4k, 4k]}}\n":                                                     "duplicate case p/a-4k",
		"include: [nonesuch]\n": `x.yaml:1:1: include nonesuch: suite "nonesuch": not found`,
	} {
		if _, err := Parse([]byte(in), "x.yaml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
}

// A matrix expands to one case per combination, whose name and title identify it.
func TestMatrix(t *testing.T) {
	s, err := Parse([]byte("cases:\n- {probe: fio, name: paper, title: as in the paper, on: directory, set: {direct: 1}, matrix: {rw: [read, write], iodepth: [1, 32]}}\n"+
		"- {probe: fio, name: 'q{iodepth}', title: 'depth {iodepth}', on: directory, matrix: {iodepth: [2, 4]}}\n"), "mine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range s.Cases {
		got = append(got, fmt.Sprintf("%s|%s|%v|%s", c.Name, c.Title, c.Set, s.Where(c)))
	}
	want := []string{
		"paper-read-1|as in the paper, rw read, iodepth 1|map[direct:1 iodepth:1 rw:read]|mine.yaml:2:3",
		"paper-read-32|as in the paper, rw read, iodepth 32|map[direct:1 iodepth:32 rw:read]|mine.yaml:2:3",
		"paper-write-1|as in the paper, rw write, iodepth 1|map[direct:1 iodepth:1 rw:write]|mine.yaml:2:3",
		"paper-write-32|as in the paper, rw write, iodepth 32|map[direct:1 iodepth:32 rw:write]|mine.yaml:2:3",
		"q2|depth 2|map[iodepth:2]|mine.yaml:3:3",
		"q4|depth 4|map[iodepth:4]|mine.yaml:3:3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s.Name != "mine" || s.Title != "mine" || s.Budget != 5*time.Minute || s.Repeats != 6 {
		t.Errorf("%+v", s)
	}
	many := "cases:\n- {probe: fio, name: a, on: directory, matrix: {a: [1,2,3,4,5,6,7,8,9,10,11], b: [1,2,3,4,5,6,7,8,9,10], c: [1,2,3,4,5,6,7,8,9,10]}}\n"
	if _, err := Parse([]byte(many), "x.yaml"); err == nil || !strings.Contains(err.Error(), "x.yaml:2:3: the matrix makes more than 1000 cases") {
		t.Errorf("1100 cases: %v", err)
	}
}

// A file includes assay's suites and files beside it, each once.
func TestFilesIncludeOthers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mine.yaml":      "title: both\nbudget: 1m\ninclude: [quick, sub/more.yaml]\ncases:\n- {probe: fio, name: own, on: directory}\n",
		"sub/more.yaml":  "include: [../other.yaml]\ncases:\n- {probe: fio, name: more, on: directory}\n",
		"other.yaml":     "cluster: true\ncases:\n- {probe: fio, name: other, on: directory}\n",
		"round.yaml":     "include: [sub/round.yaml]\n",
		"sub/round.yaml": "include: [../round.yaml]\n",
		"twice.yaml":     "include: [other.yaml, other.yaml]\n",
		"wrong.yaml":     "include: [bad.yaml]\n",
		"bad.yaml":       "cases:\n- {probe: fio}\n",
		"quick.yaml":     "cases:\n- {probe: fio, name: a, on: directory}\n",
		"missing.yaml":   "include: [gone.yaml]\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := ReadFile(filepath.Join(dir, "mine.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range s.Cases {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, " "); got != "write read-cold read-warm other more own" || !s.Cluster || s.Budget != time.Minute || s.Title != "both" {
		t.Errorf("cases %s of %+v", got, s)
	}
	if at := s.Where(s.Cases[3]); !strings.HasSuffix(at, "other.yaml:3:3") {
		t.Errorf("other stands at %s", at)
	}
	for name, want := range map[string]string{
		"round.yaml":   "includes itself",
		"twice.yaml":   "include: duplicate other.yaml",
		"wrong.yaml":   "bad.yaml:2:3: case : probe, name and on are required",
		"quick.yaml":   "quick is the name of a built-in suite",
		"missing.yaml": "missing.yaml:1:1: include",
		"none.yaml":    "none.yaml",
	} {
		if _, err := ReadFile(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// A suite may come from anyone: its includes must terminate, not leak secrets into
// error messages, and not be read a million times.
func TestHostileIncludes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600), os.Symlink("/dev/zero", filepath.Join(dir, "zero.yaml"))); err != nil {
		t.Fatal(err)
	}
	write("secret", "password of mine\n")
	write("big.yaml", strings.Repeat("# nothing\n", mostBytes/10+1))
	const depth = 25 // unbounded, files are read 2^depth times
	for i := range depth {
		both := fmt.Sprintf("include: [a%d.yaml, b%[1]d.yaml]\n", i+1)
		write(fmt.Sprintf("a%d.yaml", i), both)
		write(fmt.Sprintf("b%d.yaml", i), both)
	}
	write(fmt.Sprintf("a%d.yaml", depth), "cases: [{probe: fio, name: a, on: directory}]\n")
	write(fmt.Sprintf("b%d.yaml", depth), "cases: [{probe: fio, name: b, on: directory}]\n")
	for include, want := range map[string]string{
		"pipe.yaml": "is not a file", "zero.yaml": "is not a file", "/dev/zero": "ends in .yaml", "./secret": "ends in .yaml",
		"big.yaml": "is longer than a suite", "a0.yaml": "more than 100 files",
	} {
		write("x.yaml", "include: ["+include+"]\n")
		_, err := ReadFile(filepath.Join(dir, "x.yaml"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "password") {
			t.Errorf("include %s: got %v, want %s", include, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		text, err := files.ReadFile(name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("include: [quick]\ncases:\n- {probe: fio, name: '{a}', on: cpu, matrix: {a: [1, '{a}'], b: ['{a}']}}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse(text, "x.yaml")
		if err == nil && (len(s.Cases) == 0 || len(s.Cases) > mostCases || s.Name == "" || s.Budget <= 0) {
			t.Errorf("%+v", s)
		}
	})
}
