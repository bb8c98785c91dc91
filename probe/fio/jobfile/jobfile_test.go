package jobfile

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

const mine = `; comment
[global]
ioengine=libaio
direct=1
directory=/var/lib/vz   # the datastore
size=256m
runtime=2m
ramp_time=5
time_based
group_reporting

[rand read]
rw=randread
bs=4k
iodepth=16
numjobs=2

[journal]
stonewall
rw=write
ioengine=psync
filename=/dev/sdz:/dev/sdy
fdatasync=1

[more]
io_size=1g
`

func TestRead(t *testing.T) {
	f, err := Read("mine.fio", []byte(mine))
	if err != nil || len(f.Sections) != 3 {
		t.Fatalf("%+v, %v", f, err)
	}
	a, b, c := f.Sections[0], f.Sections[1], f.Sections[2]
	if a.Name != "rand read" || a.Pattern() != "randread" || a.Jobs() != 2 || a.Runtime() != 125*time.Second || a.Needs() != 512<<20 || a.Shared {
		t.Errorf("%+v needs %d", a, a.Needs())
	}
	if b.Value("ioengine") != "psync" || !b.Shared || b.Needs() != 256<<20 || b.Value("filename") != "" {
		t.Errorf("%+v", b)
	}
	if c.Pattern() != "read" || c.Work(1<<40) != 1<<30 {
		t.Errorf("%+v moves %d", c, c.Work(1<<40))
	}
	want := []string{
		"mine.fio:5: directory is left out: " + lent,
		"mine.fio:22: filename is left out: " + lent,
		"mine.fio:25: fio would run [more] together with [journal]; assay measures each section by itself",
	}
	if !slices.Equal(f.Notes, want) {
		t.Errorf("notes %q", f.Notes)
	}
	args, err := a.Args(1 << 30)
	if got := strings.Join(args, " "); err != nil || got != "--ioengine=libaio --direct=1 --size=256m --runtime=2m --ramp_time=5 --time_based --rw=randread --bs=4k --iodepth=16 --numjobs=2 --offset_increment=268435456" {
		t.Errorf("%s, %v", got, err)
	}
	for _, s := range f.Sections {
		again, err := Parse(s.Name, s.Text())
		if err != nil || again.Text() != s.Text() || again.Needs() != s.Needs() || again.Shared != s.Shared {
			t.Errorf("%+v, then %+v, %v", s, again, err)
		}
	}
}

// TestRoom: no job gets a region beyond the end of the lent space.
func TestRoom(t *testing.T) {
	const lent = 256 << 20
	for _, c := range []struct {
		text  string
		needs int64
		args  string // of those that assay adds; "" for a refusal
	}{
		{"rw=read", 0, "--size=268435456"},
		{"rw=read\nnumjobs=4", 0, "--size=67108864 --offset_increment=67108864"},
		{"rw=read\nnumjobs=4\nfilename=/dev/sda", 0, "--size=268435456"},
		{"rw=read\nsize=50%", 0, "--rw=read --size=50%"},
		{"rw=read\nsize=256m", lent, "--size=256m"},
		{"rw=read\nfilesize=128m", 128 << 20, "--size=134217728"},
		{"rw=read\nsize=256m\noffset=1m", lent + 1<<20, ""},
		{"rw=read\nsize=128m\noffset=50%", lent + 1, ""},
		{"rw=read\nsize=128m\noffset=100%", mostBytes, ""},
		{"rw=read\nsize=64m\nnumjobs=5", 320 << 20, ""},
		{"rw=read\nsize=64m\nnumjobs=5\nfilename=x", 64 << 20, "--numjobs=5"},
		{"rw=read\nsize=64m\noffset_increment=64m\nnumjobs=5\nfilename=x", 320 << 20, ""},
		{"rw=read\noffset=256m", 0, ""},
		{"rw=read\noffset_increment=64m\nnumjobs=5", 0, ""},
		{"rw=read\nsize=900p\nnumjobs=1024", mostBytes, ""},
		{"rw=read\nfilesize=1g\nsize=64m", 1 << 30, ""},
	} {
		s, err := Parse("x", c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		args, err := s.Args(lent)
		got := strings.Join(args, " ")
		if s.Needs() != c.needs || (err == nil) != (c.args != "") || !strings.Contains(got, c.args) {
			t.Errorf("%q needs %d, want %d: %s, %v", c.text, s.Needs(), c.needs, got, err)
		}
	}
}

// TestHostile: options that write elsewhere, run something or change the machine are
// refused with their line.
func TestHostile(t *testing.T) {
	for line, why := range map[string]string{
		"exec_prerun=touch /tmp/x":       "runs a command",
		"exec_postrun = touch /tmp/x":    "runs a command",
		"EXEC_PRERUN=touch /tmp/x":       "unknown option",
		"exec_prerun":                    "runs a command",
		"write_bw_log=/etc/cron.d/x":     "writes a log file",
		"write_lat_log":                  "writes a log file",
		"write_iops_log=x":               "writes a log file",
		"write_hist_log=x":               "writes a log file",
		"write_iolog=/etc/passwd":        "writes a log file",
		"read_iolog=/tmp/trace":          "other devices",
		"merge_blktrace_file=/etc/x":     "writes a trace file",
		"ioengine=external:/tmp/evil.so": "loads a program",
		"ioengine=/tmp/evil.so":          "does not read and write the lent file",
		"ioengine=net":                   "does not read and write the lent file",
		"ioengine=http":                  "does not read and write the lent file",
		"ioengine=filedelete":            "does not read and write the lent file",
		"ioengine=rbd":                   "does not read and write the lent file",
		"ioengine=io_uring_cmd":          "does not read and write the lent file",
		"ioengine":                       "has no value",
		"include /etc/passwd":            "include reads another file",
		"include\t/etc/passwd":           "include reads another file",
		"size=$mb_memory":                "expand variables",
		"size=${HOME}":                   "expand variables",
		"size=`id`":                      "expand variables",
		"size=(8*1024)":                  "expand variables",
		"bs=4k --filename=/dev/sda":      "expand variables",
		"rw=read --exec_prerun=id":       "expand variables",
		"mem=mmap:/dev/sda":              "may map a file",
		"iomem=mmaphuge:/mnt/x":          "may map a file",
		"buffer_pattern='/etc/shadow'":   "may read any file",
		"opendir=/etc":                   "opens every file",
		"fill_device=1":                  "beyond the lent space",
		"file_append=1":                  "beyond the lent space",
		"size=18446744073709551615":      "not a size",
		"offset=-1":                      "not a size",
		"size=200%":                      "not a percentage",
		"ioscheduler=none":               "changes the machine",
		"cgroup=x":                       "changes the machine",
		"lockfile=exclusive":             "changes the machine",
		"uid=0":                          "another user",
		"verify=crc32c":                  "leaves files behind",
		"verify_dump=1":                  "leaves files behind",
		"unlink_each_loop=1":             "removes the lent file",
		"kb_base=1000":                   "changes what k and m mean",
		"zonemode=zbd":                   "resets zones",
		"client=host":                    "another host",
		"server":                         "opens a port",
		"trigger=id":                     "runs a command",
		"numjobs=100000":                 "not a number",
		"bs=8g":                          "not a block size",
		"rw=explode":                     "not an access pattern",
		"runtime=forever":                "not a time",
		"filename_=x":                    "unknown option",
		"ioengin=psync":                  "unknown option",
		"--output=/etc/x":                "unknown option",
		"[job] x":                        "not a section",
		"bs=4k\x00":                      "not a line",
		"description=x\x1b[2J":           "not a line",
		"write_bw_log=" + strings.Repeat("x", 9e3): "not a line",
	} {
		text := "[global]\ndirect=1\n[job]\nrw=randwrite\n" + line + "\n"
		f, err := Read("evil.fio", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), "evil.fio:5: ") || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %+v, %v, want %q", line, f, err, why)
		}
	}
	for _, text := range []string{"", "[global]\nbs=4k\n", "bs=4k\n[x]\n", strings.Repeat("[a]\n", 1000), strings.Repeat(" ", MostBytes+1)} {
		if f, err := Read("evil.fio", []byte(text)); err == nil {
			t.Errorf("%.40q: %d sections", text, len(f.Sections))
		}
	}
}

// File name options have no effect, whatever they name.
func TestNamesAreReplaced(t *testing.T) {
	for _, line := range []string{"filename=/dev/sda:/dev/sdb", `filename=/etc/pass\:wd`, "filename=$DISK", "directory=/etc:/usr", "filename_format=/etc/$jobname", "allow_mounted_write=1"} {
		s, err := Parse("x", "rw=write\n"+line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		args, err := s.Args(1 << 30)
		if got := strings.Join(args, " "); err != nil || got != "--rw=write --size=1073741824" {
			t.Errorf("%s: %s, %v", line, got, err)
		}
	}
}

// fio has every option that is passed on, under exactly this name: given an unknown one,
// fio might use another with that prefix.
func TestFioKnowsThem(t *testing.T) {
	fio, err := exec.LookPath("fio")
	if err != nil {
		t.Skip("needs fio")
	}
	ofEngines := []string{"hipri", "fixedbufs", "registerfiles", "sqthread_poll", "sqthread_poll_cpu", "nonvectored", "uncached", "nowait", "force_async", "userspace_reap"}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if slices.Contains(ofEngines, name) {
			continue
		}
		out, err := exec.Command(fio, "--cmdhelp="+name).CombinedOutput()
		if err != nil || strings.Contains(string(out), "No such command") {
			t.Errorf("%s: %s, %v", name, out, err)
		}
		if refused[name] != "" || left[name] != "" {
			t.Errorf("%s is on two lists", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(mine)
	f.Add("[a]\nexec_prerun=id\n")
	f.Fuzz(func(t *testing.T, text string) {
		read, err := Read("x.fio", []byte(text))
		if err != nil {
			return
		}
		for _, s := range read.Sections {
			again, err := Parse(s.Name, s.Text())
			if err != nil || again.Text() != s.Text() || again.Needs() != s.Needs() {
				t.Fatalf("%q is not read as it is written: %v", s.Text(), err)
			}
			args, err := s.Args(1 << 30)
			if err == nil && s.Needs() > 1<<30 {
				t.Fatal("more than was lent")
			}
			for _, a := range args {
				name, _, _ := strings.Cut(strings.TrimPrefix(a, "--"), "=")
				if _, known := allowed[name]; !known || strings.ContainsAny(a, "$'\"` \n") {
					t.Fatalf("fio is told %q", a)
				}
			}
		}
	})
}
