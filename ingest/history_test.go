package ingest

import (
	"strings"
	"testing"

	"assay"
)

// reader is a tool that reads or writes the file on its command line.
type reader struct{}

func (reader) Format() assay.Format {
	return assay.Format{Tool: "mover", Commands: []string{"mover"}, Begins: func(line string) bool { return strings.HasPrefix(line, "moved") }}
}

func (reader) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	dir, direct := "read", "0"
	for _, word := range tr.Steps[0].Argv {
		if strings.HasPrefix(word, "of=") {
			dir = "write"
		}
		if word == "-direct" {
			direct = "1"
		}
	}
	return []assay.Measurement{{Metric: "storage." + dir + ".bandwidth", Value: 1, Unit: assay.BytesPerSecond, Line: 1, Labels: map[string]string{"direct": direct}}}, nil
}

func TestWhereAReadCameFrom(t *testing.T) {
	const drop = "root@a:~# sync; echo 3 > /proc/sys/vm/drop_caches\n"
	for _, c := range []struct{ name, before, want string }{
		{"nothing is known", "", ""},
		{"dropped", drop, "cold"},
		{"written before", "root@a:~# mover of=x -v\nmoved\n", "not dropped"},
		{"written, then dropped", "root@a:~# mover of=x -v\nmoved\n" + drop, "cold"},
		{"read before", drop + "root@a:~# mover if=x -v\nmoved\n", "not dropped"},
		{"read past the cache before", drop + "root@a:~# mover if=x -direct\nmoved\n", "cold"},
		{"another file was read", drop + "root@a:~# mover if=y -v\nmoved\n", "cold"},
		{"another host's file was written", drop + "root@b:~# mover of=x -v\nmoved\n", "cold"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r Reading
			text := c.before + "root@a:~# mover if=x -v\nmoved\n"
			if err := r.Read("f", strings.NewReader(text), []assay.Reader{reader{}}); err != nil {
				t.Fatal(err)
			}
			last := r.Items[len(r.Items)-1].Repeats[0].Measurements[0]
			if got := last.Labels["cache"]; got != c.want {
				t.Errorf("cache is %q, want %q", got, c.want)
			}
		})
	}
}

// A line that empties the page cache counts without a prompt too, and under a bare "#",
// which else begins a heading.
func TestDroppedCachesWithoutAPrompt(t *testing.T) {
	for line, want := range map[string]string{
		"# echo 3 > /proc/sys/vm/drop_caches":                                "cold",
		"echo 3 > /proc/sys/vm/drop_caches":                                  "cold",
		"sync; echo 1 >/proc/sys/vm/drop_caches":                             "cold",
		"sync && sudo sh -c 'echo 3 > /proc/sys/vm/drop_caches'":             "cold",
		`# sync; sudo bash -c "sync; echo '3' > /proc/sys/vm/drop_caches"`:   "cold",
		"free; sync; echo 3 > /proc/sys/vm/drop_caches; free":                "cold",
		"echo 3 | sudo tee /proc/sys/vm/drop_caches":                         "cold",
		"echo 3 | sudo tee -a /proc/sys/vm/drop_caches > /dev/null  # first": "cold",
		"sudo tee /proc/sys/vm/drop_caches <<< 3":                            "cold",
		"# /sbin/sysctl -w vm.drop_caches=3":                                 "cold",
		"[server]# sysctl vm.drop_caches=1":                                  "cold",
		"node1:/mnt # sysctl -q vm.drop_caches=\"3\"":                        "cold",

		"echo 2 > /proc/sys/vm/drop_caches":                                        "not dropped", // dentries and inodes alone
		"root@a:~# echo 2 > /proc/sys/vm/drop_caches":                              "not dropped",
		"root@a:~# cat /proc/sys/vm/drop_caches":                                   "not dropped",
		"root@a:~# sysctl vm.drop_caches":                                          "not dropped",
		"vm.drop_caches = 3":                                                       "not dropped", // in sysctl.conf, or printed
		"We did not run echo 3 > /proc/sys/vm/drop_caches":                         "not dropped",
		"echo 3 > /proc/sys/vm/drop_caches empties the page cache, which we left.": "not dropped",
		"## Without echo 3 > /proc/sys/vm/drop_caches":                             "not dropped",
	} {
		t.Run(line, func(t *testing.T) {
			var r Reading
			text := "mover of=x -v\nmoved\n" + line + "\nmover if=x -v\nmoved\n"
			if err := r.Read("f", strings.NewReader(text), []assay.Reader{reader{}}); err != nil {
				t.Fatal(err)
			}
			last := r.Items[len(r.Items)-1].Repeats[0].Measurements[0]
			if got := last.Labels["cache"]; len(r.Items) != 2 || got != want {
				t.Errorf("cache of the last of %d is %q, want %q", len(r.Items), got, want)
			}
		})
	}
}
