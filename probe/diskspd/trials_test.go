package diskspd

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

const gib = 1 << 30

// windows returns a Windows guest with one directory.
func windows(dir string) assay.Inventory {
	return assay.Inventory{
		Hosts: []assay.Host{{Name: "win", OS: assay.Windows}},
		Facts: map[string]assay.Facts{"win": {
			Host: "win", OS: assay.OSFacts{Windows: true}, CPU: assay.CPUFacts{Threads: 2}, Memory: assay.MemoryFacts{Total: 8 * gib},
			Dirs: []assay.DirFacts{{Path: dir, Exists: true, Writable: true, FileSystem: "ntfs", Bytes: 100 * gib, Free: 50 * gib}},
		}},
		Subjects: []assay.Subject{{ID: "win/directory/" + dir, Kind: assay.KindDirectory, Host: "win", Name: dir}},
	}
}

func trial(t *testing.T, inv assay.Inventory, set map[string]string) assay.Trial {
	t.Helper()
	all, err := New().Trials(inv, assay.Case{Probe: "fio", Name: "case-1", Title: "case 1", On: inv.Subjects[0].Kind, Set: set})
	if err != nil || len(all) != 1 {
		t.Fatalf("%d trials, %v", len(all), err)
	}
	return all[0]
}

// A trial is that of fio, under its own name.
func TestTrials(t *testing.T) {
	tr := trial(t, windows(`D:\bench`), map[string]string{"rw": "randread", "bs": "4k", "iodepth": "32", "numjobs": "auto", "size": "auto"})
	if tr.Absent != nil || tr.ID != `diskspd/case-1@win/directory/D:\bench` || tr.Probe != name || tr.Scratch != 4*gib || tr.Risk != assay.Writes {
		t.Errorf("%+v", tr)
	}
	if s := tr.Settings; s["numjobs"] != "2" || s["engine"] != "" || s["bs"] != "4k" || s["iodepth"] != "32" {
		t.Errorf("%v", s)
	}
	if sized := New().(*Probe).Sized(tr, assay.Scratch{Bytes: 128 * mib}); sized.Scratch != 128*mib || sized.Settings["size"] != "134217728" || tr.Scratch != 4*gib {
		t.Errorf("%+v", sized)
	}
	if _, err := New().Trials(windows(`D:\bench`), assay.Case{Name: "c", On: assay.KindDirectory, Set: map[string]string{"rw": "trim"}}); err == nil || !strings.Contains(err.Error(), "rw") {
		t.Error(err)
	}
}

// The plan refuses what DiskSpd cannot do, and says why.
func TestWhatDiskSpdCannotDo(t *testing.T) {
	for want, set := range map[string]map[string]string{
		"has no engine psync":       {"rw": "randread", "engine": "psync"},
		"has no engine libaio":      {"rw": "randread", "engine": "libaio"},
		"knows no O_DSYNC":          {"rw": "randwrite", "sync": "dsync"},
		"does not flush after":      {"rw": "write", "fdatasync": "1"},
		"prints at its end":         {"rw": "randwrite", "until": "steady"},
		"job files are run on host": {"job": "rw=randread\nsize=64m"},
		"1 operations of 512 B":     {"rw": "randread", "bs": "512", "rate_iops": "1"},
	} {
		tr := trial(t, windows(`D:\bench`), set)
		if a := tr.Absent; a == nil || a.Word != assay.NotSupported || !strings.Contains(a.Why, want) || tr.Scratch != 0 {
			t.Errorf("%q: %+v", want, a)
		}
	}
	for _, set := range []map[string]string{
		{"rw": "randread", "engine": "async"}, {"rw": "randread", "engine": "windowsaio"}, {"rw": "randwrite", "sync": "1"},
		{"rw": "randread", "rate_iops": "20"}, {"rw": "randrw", "rwmixread": "70", "direct": "0"},
	} {
		if tr := trial(t, windows(`D:\bench`), set); tr.Absent != nil {
			t.Errorf("%v: %+v", set, tr.Absent)
		}
	}
	if a := trial(t, windows(`D:\Prüfung`), map[string]string{"rw": "read"}).Absent; a == nil || !strings.Contains(a.Why, "code page") {
		t.Errorf("%+v", a)
	}
	if a := trial(t, windows(`D:\a;b #c`), map[string]string{"rw": "read"}).Absent; a != nil { // fio's limits are not DiskSpd's
		t.Errorf("%+v", a)
	}
	device := windows(`D:\bench`)
	device.Subjects = []assay.Subject{{ID: "win/device/x", Kind: assay.KindDevice, Host: "win", Name: `\\.\PhysicalDrive1`}}
	if a := trial(t, device, map[string]string{"rw": "read"}).Absent; a == nil || !strings.Contains(a.Why, "directories are measured, not devices") {
		t.Errorf("%+v", a)
	}
	linux := windows("/srv")
	f := linux.Facts["win"]
	f.OS.Windows = false
	linux.Facts["win"] = f
	if a := trial(t, linux, map[string]string{"rw": "read"}).Absent; a == nil || !strings.Contains(a.Why, "does not run Windows") {
		t.Errorf("%+v", a)
	}
}

func TestArgv(t *testing.T) {
	const hostile = `D:\it's $(x); & "y`
	for _, tt := range []struct {
		set    map[string]string
		file   string
		length time.Duration
		want   string
	}{
		{map[string]string{"rw": "randread", "bs": "4k", "iodepth": "32", "numjobs": "4"}, `D:\bench\data`, 20 * time.Second,
			"-b4096 -o32 -t4 -w0 -f67108864 -r -z -d20 -W0 -Su -L -D1000 -Rxml"},
		{map[string]string{"rw": "randwrite", "bs": "4k", "sync": "1"}, `D:\it's $(x); & y\data`, 5400 * time.Millisecond,
			"-b4096 -o1 -t1 -w100 -f67108864 -r -z -d5 -W0 -Suw -Zr -L -D1000 -Rxml"},
		{map[string]string{"rw": "write", "bs": "1m", "iodepth": "16", "direct": "0", "sync": "1"}, `D:\-b4\data`, 300 * time.Millisecond,
			"-b1048576 -o16 -t1 -w100 -f67108864 -d1 -W0 -Sbw -Zr -L -Rxml"},
		{map[string]string{"rw": "read", "bs": "1m", "iodepth": "16", "numjobs": "3", "direct": "0"}, `D:\bench\data`, time.Hour,
			"-b1048576 -o16 -t3 -w0 -f67108864 -si -d3600 -W0 -Sb -L -D6000 -Rxml"},
		{map[string]string{"rw": "randrw", "bs": "8k", "rwmixread": "70", "rate_iops": "20"}, `D:\bench\data`, 10 * time.Second,
			"-b8192 -o1 -t1 -w30 -f67108864 -r -z -d10 -W0 -Su -Zr -g164 -L -D1000 -Rxml"},
		{map[string]string{"rw": "rw", "bs": "96k", "numjobs": "1000"}, `D:\bench\data`, 10 * time.Second,
			"-b98304 -o1 -t1000 -w50 -f67043328 -si -d10 -W0 -Su -Zr -L -Rxml"},
	} {
		tr := trial(t, windows(`D:\bench`), tt.set)
		argv, err := measureArgv(tr, assay.Scratch{File: tt.file, Bytes: 64 * mib}, tt.length)
		want := append(append([]string{program}, strings.Fields(tt.want)...), tt.file)
		if err != nil || !slices.Equal(argv, want) {
			t.Errorf("%q, %v\nwant %q", argv, err, want)
		}
	}
	tr := trial(t, windows(`D:\bench`), map[string]string{"rw": "randread"})
	for _, s := range []assay.Scratch{
		{File: hostile + `\data`, Bytes: gib}, {File: "/srv/data", Bytes: gib}, {File: "data", Bytes: gib}, {File: `-c1G`, Bytes: gib}, {File: `D:\Prüfung\data`, Bytes: gib},
		{File: "D:\\a\nb", Bytes: gib}, {File: `#1`, Bytes: gib}, {File: `D:`, Bytes: gib}, {File: `D:\bench\data`, Bytes: 4095}, {},
	} {
		if argv, err := measureArgv(tr, s, time.Second); err == nil {
			t.Errorf("%+v is accepted: %q", s, argv)
		}
	}
	if _, err := measureArgv(tr, assay.Scratch{File: `D:\bench\data`, Bytes: gib}, 0); err == nil {
		t.Error("it is measured for no time")
	}
}

// Whatever the length and number of threads, samples leave room for the figures.
func TestSamplingFits(t *testing.T) {
	for _, jobs := range []int{1, 2, 4, 64, 300, 1024} {
		for _, seconds := range []int{1, 4, 5, 60, 3600, 86400} {
			step := sampling(jobs, seconds)
			if step == 0 {
				continue
			}
			if n := seconds / step; n < fewestSample || n*(jobs+1)*sampleBytes > mostSampled {
				t.Errorf("%d jobs for %d s: %d samples", jobs, seconds, n)
			}
		}
	}
	if sampling(1, 4) != 0 || sampling(1, 5) != 1 || sampling(1024, 60) != 0 {
		t.Errorf("%d %d %d", sampling(1, 4), sampling(1, 5), sampling(1024, 60))
	}
}
