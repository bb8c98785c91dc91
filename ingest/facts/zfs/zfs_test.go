package zfs

import (
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func learn(text string, f assay.Facts) (assay.Facts, error) {
	return captured.Learn(New(), text, "", f)
}

func TestLearn(t *testing.T) {
	for _, c := range []struct {
		file, dataset string
		pools, count  int
		want          map[string]string
	}{
		{"get-all-0.8.txt", "otus", 1, 23, map[string]string{"recordsize": "128K", "compression": "zle", "checksum": "sha256", "creation": "Fri May 15 4:00 2020", "createtxg": "1"}},
		{"pve-inherited.txt", "rpool/ROOT/pve-1", 1, 18, map[string]string{"compression": "on", "atime": "off", "mountpoint": "/", "readonly": ""}},
		{"local-received.txt", "zp-3x12-a", 2, 5, map[string]string{"recordsize": "1M", "compression": "lz4", "primarycache": ""}},
		{"local-received.txt", "zp-3x12-a/backup", 2, 1, map[string]string{"primarycache": "none"}},
		{"one-blank.txt", "otus", 1, 3, map[string]string{"recordsize": "128K", "compression": "zle"}},
		{"hp.txt", "rpool/data", 1, 6, map[string]string{"recordsize": "131072", "compression": "lz4", "sync": "disabled", "direct": "standard"}},
		{"hp-three-columns.txt", "tank/vm", 1, 3, map[string]string{"recordsize": "16384", "primarycache": "metadata"}},
		{"zpool-get.txt", "otus", 1, 1, map[string]string{"size": "480M"}},
	} {
		for name, text := range map[string]string{
			"as it is": captured.Text(t, c.file), "CRLF": strings.ReplaceAll(captured.Text(t, c.file), "\n", "\r\n"), "with prose after it": captured.Text(t, c.file) + "\nThis is the default - I left it.\n",
		} {
			f, err := learn(text, assay.Facts{})
			if err != nil {
				t.Errorf("%s %s: %v", c.file, name, err)
				continue
			}
			p := f.Pool(c.dataset)
			if p == nil || p.Kind != "zfs" || len(f.Pools) != c.pools || len(p.Properties) != c.count {
				t.Errorf("%s %s: %+v", c.file, name, f.Pools)
				continue
			}
			for key, want := range c.want {
				if p.Properties[key] != want {
					t.Errorf("%s %s: %s is %q, want %q", c.file, name, key, p.Properties[key], want)
				}
			}
		}
	}
}

// Known facts stay, and the caller's map is not modified.
func TestWhatIsKnownStays(t *testing.T) {
	before := assay.Facts{Pools: []assay.PoolFacts{{Kind: "zfs", Name: "otus", Version: "2.3.1", Properties: map[string]string{"sync": "always", "recordsize": "1M"}}}}
	after, err := learn(captured.Text(t, "one-blank.txt"), before)
	if err != nil {
		t.Fatal(err)
	}
	p := after.Pool("otus")
	if p.Version != "2.3.1" || p.Properties["sync"] != "always" || p.Properties["recordsize"] != "128K" {
		t.Errorf("%+v", p)
	}
	if before.Pools[0].Properties["recordsize"] != "1M" {
		t.Error("what was given was changed")
	}
}

func TestLearnRefuses(t *testing.T) {
	for _, text := range []string{
		"", "NAME  PROPERTY  VALUE  SOURCE\n", "cannot open 'tank': dataset does not exist\n", "tank is a pool - local\nof mine default\n",
		"NAME PROPERTY VALUE SOURCE\ntank@snap used 1K -\n",
	} {
		if f, err := learn(text, assay.Facts{}); err == nil {
			t.Errorf("%q gives %+v", text, f.Pools)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	captured.Begins(t, f, []string{"NAME  PROPERTY  VALUE  SOURCE", "NAME PROPERTY VALUE SOURCE", "rpool/data\ttype\tfilesystem\t-", "tank\trecordsize\t131072\r"}, []string{"", "NAME   USED  AVAIL  REFER  MOUNTPOINT", "otus  recordsize  128K  local", "a\tb\tc\td", "sync\twrites\tare slow", "two words\ttype\tx\t-"})
	if f.Splits(nil, "rpool/data\ttype\tfilesystem\t-") || !f.Splits(nil, "NAME  PROPERTY  VALUE  SOURCE") {
		t.Error("rows split")
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		facts, err := learn(text, assay.Facts{})
		if (err == nil) != (len(facts.Pools) > 0) {
			t.Fatalf("%d pools and error %v", len(facts.Pools), err)
		}
		for _, p := range facts.Pools {
			if p.Name == "" || p.Kind != "zfs" {
				t.Errorf("%+v", p)
			}
		}
	})
}
