package fio

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/internal/captured"
)

func TestReadCommand(t *testing.T) {
	tests := []struct {
		line, job string
		want      options
		file      bool
	}{
		{"sudo /usr/bin/fio --name=a --rw=read --bs=4k", "a", options{"rw": "read", "bs": "4k"}, false},
		{"fio -direct=1 -iodepth 32 -thread -rw=randwrite -name=4k -group_reporting", "4k",
			options{"direct": "1", "iodepth": "32", "thread": "1", "rw": "randwrite", "group_reporting": "1"}, false},
		{`C:\fio\fio.exe --name=a --readwrite=randrw --blocksize 8k`, "a", options{"rw": "randrw", "bs": "8k"}, false},
		{"fio --direct=1 --name=a --rw=read --name=b --rw=write", "a", options{"direct": "1", "rw": "read"}, false},
		{"fio --direct=1 --name=a --rw=read --name=b --rw=write", "b", options{"rw": "write"}, false},
		{"fio --name=global --bs=4k --name=a --rw=read --name=b --rw=write", "b", options{"bs": "4k", "rw": "write"}, false},
		{"fio --name=a --rw=read > out.txt --not=read", "a", options{"rw": "read"}, false},
		{"fio --name=a --rw=read | tee log", "a", options{"rw": "read"}, false},
		{"fio --minimal jobs.fio", "a", options{"minimal": "1"}, true},
		{"fio jobs.fio --output=x", "a", options{"output": "x"}, true},
		{"dd if=/dev/zero of=x", "a", options{}, false},
		{"", "a", options{}, false},
	}
	for _, tt := range tests {
		c := readCommand(strings.Fields(tt.line))
		if d := cmp.Diff(tt.want, c.of(tt.job)); d != "" || c.file != tt.file {
			t.Errorf("%s: job file %v\n%s", tt.line, c.file, d)
		}
	}
}

// An option missing from the command line has fio's default only if no job file
// can set it.
func TestLabelsWithAJobFile(t *testing.T) {
	tr := measured(captured.Bytes(t, "text/2.2.10-randread.txt"))
	for argv, want := range map[string]string{"fio wsh_4k_randread.fio": "", "fio --name=hdd_randread_test --bs=4k": "0", "": ""} {
		tr.Steps[0].Argv = strings.Fields(argv)
		ms, err := New().Parse(tr)
		if err != nil {
			t.Fatal(err)
		}
		if m := figure(t, ms, "storage.read.iops"); m.Labels["direct"] != want || m.Labels["sync"] != want || m.Labels["engine"] != "libaio" {
			t.Errorf("%q: direct is %q, sync %q, engine %q", argv, m.Labels["direct"], m.Labels["sync"], m.Labels["engine"])
		}
	}
}

func TestSource(t *testing.T) {
	for _, tt := range []struct {
		o    options
		want string
	}{
		{options{}, ""},
		{options{"zero_buffers": ""}, "zero"},
		{options{"zero_buffers": "1"}, "zero"},
		{options{"zero_buffers": "0"}, ""},
		{options{"buffer_pattern": "0x00000000"}, "zero"},
		{options{"buffer_pattern": "0xdeadbeef"}, "compressible"},
		{options{"buffer_compress_percentage": "50"}, "compressible"},
		{options{"buffer_compress_percentage": "0"}, ""},
		{options{"refill_buffers": "1"}, ""},
	} {
		if got := source(tt.o); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.o, got, tt.want)
		}
	}
}

func TestWalked(t *testing.T) {
	for _, tt := range []struct {
		o    options
		want string
	}{
		{options{}, ""},
		{options{"size": "1G", "filename": "/x"}, "1073741824"},
		{options{"size": "1G", "filename": "/x", "numjobs": "4"}, "1073741824"},
		{options{"size": "1m", "filename": "/x", "numjobs": "4", "offset_increment": "2m"}, "7340032"},
		{options{"size": "1m", "numjobs": "4"}, "4194304"},
		{options{"size": "100%", "filename": "/dev/sda"}, "100%"},
		{options{"size": "9e99"}, "9e99"},
	} {
		if got := walked(tt.o); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.o, got, tt.want)
		}
	}
}
