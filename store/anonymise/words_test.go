package anonymise

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/plan/suite"
)

var update = flag.Bool("update", false, "write words.txt")

var letters = regexp.MustCompile(`\pL+`)

// The words kept in transcripts are those of tools and of the code that parses them.
func TestWordsAreThoseOfTools(t *testing.T) {
	in := map[string]int{}
	for _, root := range []string{"../../probe", "../../stacks/s3", "../../metric.go", "../../trial.go"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				if err == nil && d.Name() == "fuzz" {
					return filepath.SkipDir
				}
				return err
			}
			code := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
			capture := strings.Contains(path, "/testdata/") && !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".zst") && !strings.HasSuffix(path, ".gz")
			if !code && !capture {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			found := map[string]bool{}
			body := string(text)
			if code {
				body = strings.Join(literal.FindAllString(body, -1), " ")
			}
			for _, w := range letters.FindAllString(strings.ToValidUTF8(body, " "), -1) {
				found[strings.ToLower(w)] = true
			}
			for w := range found {
				if in[w]++; code {
					in[w] += 3
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	maps.DeleteFunc(in, func(w string, n int) bool { return n < 3 || len(w) < 2 })
	want := strings.Join(slices.Sorted(maps.Keys(in)), "\n") + "\n"
	if *update {
		if err := os.WriteFile("words.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != wordsOfTools {
		t.Error("words.txt is not what tests and probes have: go test ./store/anonymise -run Words -update")
	}
}

// The words kept in assay's prose are those of the texts in its code.
func TestWordsOfProseAreThoseOfAssay(t *testing.T) {
	said := map[string]bool{}
	for _, root := range []string{"../../analysis", "../../audit", "../../incident", "../../ingest", "../../internal", "../../inventory", "../../limits", "../../place", "../../plan", "../../run", "../../stacks", "../../stats", "../../volume"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			isSuite := strings.HasPrefix(path, "../../plan/suite/") && strings.HasSuffix(path, ".yaml")
			if err != nil || d.IsDir() || !isSuite && (!strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go")) {
				return err
			}
			code, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			texts := literal.FindAllString(string(code), -1)
			if isSuite {
				texts = []string{string(code)}
			}
			for _, text := range texts {
				for _, w := range letters.FindAllString(text, -1) {
					said[strings.ToLower(w)] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	maps.DeleteFunc(said, func(w string, _ bool) bool { return len(w) < 2 })
	want := strings.Join(slices.Sorted(maps.Keys(said)), "\n") + "\n"
	if *update {
		if err := os.WriteFile("prose.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != wordsOfAssay {
		t.Error("prose.txt is not what assay's code has: go test ./store/anonymise -run Words -update")
	}
}

// A name that occurs only in assay's prose is removed from it; assay's own words, figures
// and vendors' product names stay.
func TestProseKeepsWordsOfAssayToolsAndMakersAlone(t *testing.T) {
	n := New()
	n.Learn(assay.BlockDevice{Model: "Samsung SSD 870 EVO 1TB"})
	for in, want := range map[string]string{
		"Samsung SSD 870 EVO 1TB: 4 KiB random read at 12.4 MiB/s is more than the bus allows": "",
		"storage of Zorblatt Oyj in Quuxstrasse cannot be reached":                             "storage of word1 word2 in word3 cannot be reached",
	} {
		if want == "" {
			want = in
		}
		if got := n.prose(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// Names and titles of suites and cases stay if assay chose them; of those that a user
// chose, no word stays anywhere.
func TestNamesOfSuitesAndCasesAreAssaysOrGone(t *testing.T) {
	named := regexp.MustCompile(`\b(?:name|title): (?:"([^"]*)"|([^,}\n]*))`)
	files, err := filepath.Glob("../../plan/suite/*.yaml")
	extra, eerr := filepath.Glob("../../plan/suite/extra/*.yaml")
	if err != nil || eerr != nil || len(files) < 8 || len(extra) == 0 {
		t.Fatal(files, extra, err, eerr)
	}
	for _, file := range append(files, extra...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			word := m[1] + m[2]
			run := assay.Run{Suite: word, Results: []assay.Result{{Trial: assay.Trial{Case: word, Title: word}}}}
			n := New()
			n.Learn(run)
			clean := Clean(n, run)
			if got := clean.Results[0].Trial; clean.Suite != word || got.Case != word || got.Title != word {
				t.Errorf("%s: %q became %q, %q and %q", filepath.Base(file), word, clean.Suite, got.Case, got.Title)
			}
		}
	}
	// So do those of a matrix, which contain its settings.
	all, err := suite.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, c := range s.Cases {
			run := assay.Run{Suite: s.Name, Results: []assay.Result{{Trial: assay.Trial{Case: c.Name, Title: c.Title}}}}
			n := New()
			n.Learn(run)
			if got := Clean(n, run).Results[0].Trial; got.Case != c.Name || got.Title != c.Title {
				t.Errorf("suite %s: %q, %q became %q and %q", s.Name, c.Name, c.Title, got.Case, got.Title)
			}
		}
	}
	run := assay.Run{Suite: "zorblatt", Results: []assay.Result{
		{Trial: assay.Trial{ID: "fio/quuxstrasse-read@host1/directory//srv", Case: "quuxstrasse-read", Title: "Read as Zorblatt does"}},
		{Trial: assay.Trial{ID: "fio/read-4k@host1/directory//srv", Case: "read-4k", Title: "read"}},
	}, Findings: []assay.Finding{{Subject: "fio/quuxstrasse-read@host1/directory//srv"}}}
	n := New()
	n.Learn(run)
	clean := Clean(n, run)
	first, second := clean.Results[0].Trial, clean.Results[1].Trial
	if clean.Suite != "name1" || first.Case != "name2" || first.Title != "Read as name1 does" || first.ID != "fio/name2@host1/directory//srv" || clean.Findings[0].Subject != first.ID || second.Case != "read-4k" {
		t.Errorf("%s, %+v, %+v, %+v", clean.Suite, first, second, clean.Findings)
	}
}

// A user or host may have a name that is a tool's word: it goes where it is the name, and
// the tool's own keys, options and paths stay.
func TestNamesThatAreWordsOfTools(t *testing.T) {
	n := New("max", "dev")
	n.Learn([]assay.Host{{Name: "media"}, {Name: "rand"}})
	if got := n.text("max dev media rand"); got != "user1 user2 host1 host2" {
		t.Fatal(got)
	}
	for in, want := range map[string]string{
		`"clat_ns" : {"min" : 1, "max" : 9}`:               "",
		`{\"max\":9}`:                                      "",
		`{"media_errors":519,"data_units_read":1}`:         "",
		`clat (usec): min=603, max=16360, avg=1752.90`:     "",
		"/dev/sda /media/disk":                             "",
		"rw=randread, intermediate":                        "",
		"//media/share":                                    "//host1/share",
		"ssh max@media, http://media:9000 //media/share":   "ssh user1@host1, http://host1:9000 //host1/share",
		`{"user":"max","host":"media"} /srv/max max media`: `{"user":"user1","host":"host1"} /srv/user1 user1 host1`,
		"Connecting to host media, port 5201 of dev":       "Connecting to host host1, port 5201 of user2",
	} {
		if want == "" {
			want = in
		}
		if got := n.text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if got := n.text("media/directory//media fio/x@media/directory//dev"); got != "host1/directory//media fio/x@host1/directory//dev" {
		t.Error(got)
	}
}

var literal = regexp.MustCompile("\"[^\"\n]*\"|`[^`]*`")

// A word that stands in a transcript alone, in any form, is gone from it; numbers, units
// and the words of the tool stay.
func TestTranscriptsKeepWordsOfToolsAlone(t *testing.T) {
	n := New()
	for in, stays := range map[string]bool{
		`read: IOPS=41.2k, BW=161MiB/s (169MB/s)`:       true,
		`"clat_ns" : {"min" : 5e-06, "mean": 1.5}`:      true,
		"nvme0n1p2 sda1 64k 4KiB p99":                   true,
		`error on mailrelay7 of acme-customer`:          false,
		`/srv/acme/x, Acme`:                             false,
		"S64DNX0R123456 ZXQ7 K5H8R2":                    false,
		`jdoe@db01.acme.example 10.1.2.3`:               false,
		`fd00:1::5 aa:bb:cc:dd:ee:0f`:                   false,
		`{"a":"x\nfoobarbaz"}`:                          false,
		"m\u00fcllerstra\u00dfe \xff\xfename":           false,
		`wwn 0x5002538e4034d4b9`:                        false,
		`39c10b95-7335-4315-9e41-cc0e028f8748 and more`: false,
	} {
		got := n.transcript(in)
		for _, w := range []string{"acme", "mailrelay", "customer", "jdoe", "db01", "S64D", "ZXQ", "K5H8", "foobar", "llerstra", "5002538e", "39c10b95", ":0f", "fd00", "10.1.2"} {
			if strings.Contains(strings.ToLower(got), strings.ToLower(w)) {
				t.Errorf("%q is left: %q", w, got)
			}
		}
		if stays && got != in {
			t.Errorf("%q became %q", in, got)
		}
	}
}
