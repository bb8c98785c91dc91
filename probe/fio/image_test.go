package fio

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

// An image is loaded by one client with the in-flight operations of all jobs, and
// every write is flushed if sync was requested.
func TestImageCommand(t *testing.T) {
	trial := assay.Trial{ID: "x", Case: "write", Subject: assay.Subject{Kind: assay.KindImage}, Settings: map[string]string{
		"rw": "write", "bs": "4k", "iodepth": "8", "numjobs": "4", "direct": "1", "sync": "1", "engine": "libaio", "size": "67108864"}}
	image := &assay.Image{Pool: "vms", Name: "assay-0123456789abcdef", User: "images", Keyring: "/etc/k", Conf: "/etc/c"}
	argv, err := measureArgv(trial, assay.Scratch{Image: image, Bytes: 64 << 20}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--ioengine=rbd", "--iodepth=32", "--numjobs=1", "--fsync=1", "--size=67108864", "--clientname=images", "--pool=vms", "--rbdname=assay-0123456789abcdef"} {
		if !slices.Contains(argv, want) {
			t.Errorf("no %s in %q", want, argv)
		}
	}
	if line := strings.Join(argv, " "); strings.Contains(line, "--filename") || strings.Contains(line, "--sync") || strings.Contains(line, "offset_increment") {
		t.Errorf("%q", argv)
	}
	if slices.Index(argv, "--ioengine=rbd") > slices.Index(argv, "--pool=vms") {
		t.Errorf("fio does not know an option of the engine before the engine: %q", argv)
	}
	if got := reach(assay.Scratch{Image: image}); !slices.Equal(got, []string{"CEPH_KEYRING=/etc/k", "CEPH_CONF=/etc/c"}) {
		t.Errorf("%q", got)
	}
	for _, bad := range []string{"a:b", "-x", "a b\n"} {
		if argv, err := imageCommand("x", assay.Image{Pool: bad, Name: "y"}, nil); err == nil {
			t.Errorf("%q gave %q", bad, argv)
		}
	}
}
