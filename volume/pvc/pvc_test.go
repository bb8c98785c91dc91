package pvc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"assay"
	"assay/place/local"
	"assay/stacks/kube"
	"assay/volume/guard"
	"assay/volume/volumetest"
)

func TestAttach(t *testing.T) {
	for _, bad := range []Options{
		{}, {Size: "big"}, {Size: "-1Gi"}, {Size: "1Gi", Access: "RWO"}, {Size: "1Gi", Access: "ReadOnlyMany"}, {Size: "1Gi", Mode: "block"},
		{Size: "1Gi", Class: "No Class"},
	} {
		if a, err := Attach(bad, "longhorn"); err == nil {
			t.Errorf("%+v gave %+v", bad, a)
		}
	}
	if _, err := Attach(Options{Size: "1Gi"}, "Long Horn"); err == nil {
		t.Error("a name that Kubernetes refuses was taken")
	}
	a, err := Attach(Options{Size: "20Gi"}, "longhorn")
	if err != nil {
		t.Fatal(err)
	}
	if s := a.Claim.Spec; s.StorageClassName != nil || len(s.AccessModes) != 1 || s.AccessModes[0] != corev1.ReadWriteOnce ||
		*s.VolumeMode != corev1.PersistentVolumeFilesystem || s.Resources.Requests.Storage().Value() != 20<<30 {
		t.Errorf("got %+v", s)
	}
	if a.Security != kube.Restricted || a.Device != nil || a.Mount.MountPath != a.Path || a.Volume.PersistentVolumeClaim.ClaimName != a.Claim.Name || !a.Persists {
		t.Errorf("got %+v", a)
	}
	a, err = Attach(Options{Class: "longhorn", Size: "20Gi", Access: "ReadWriteMany", Mode: "Block"}, "longhorn")
	if err != nil || *a.Claim.Spec.StorageClassName != "longhorn" || a.Claim.Spec.AccessModes[0] != corev1.ReadWriteMany ||
		a.Mount != nil || a.Device.DevicePath != a.Path || a.Device.Name != a.Volume.Name || a.Security != kube.Baseline {
		t.Errorf("got %+v, %v", a, err)
	}
}

// image mounts a file system of that size, made in a file.
func image(t *testing.T, bytes int64, mkfs ...string) string {
	t.Helper()
	file, mount := filepath.Join(t.TempDir(), "volume.img"), t.TempDir()
	for _, argv := range [][]string{
		{"truncate", "--size", fmt.Sprint(bytes), file}, append(mkfs, file), {"mount", "-o", "loop", file, mount},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", argv, err, out)
		}
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", mount).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	return mount
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil || os.Geteuid() != 0 {
		t.Skipf("needs root and %s", program)
	}
}

func subject(dir string) assay.Subject {
	return assay.Subject{ID: "longhorn/directory/" + dir, Kind: assay.KindDirectory, Host: "longhorn", Name: dir,
		Params: Options{Class: "longhorn", Size: "20Gi"}.Params()}
}

func TestConformance(t *testing.T) {
	needs(t, "mkfs.ext4")
	mount := image(t, 256<<20, "mkfs.ext4", "-q")
	volumetest.Test(t, func(*testing.T) volumetest.Fixture {
		return volumetest.Fixture{Volume: New(), Place: local.New("longhorn", ""), Subject: subject(mount),
			Present: func(_ *testing.T, r assay.Receipt) bool {
				_, err := os.Lstat(r.Names["dir"])
				return err == nil
			}}
	})
}

// TestSize makes volumes of the size that Size returns, with the defaults of
// mke2fs, and lends the test file in them.
func TestSize(t *testing.T) {
	needs(t, "mkfs.ext4")
	for _, file := range []int64{64 << 20, 1 << 30, 6 << 30, 40 << 30} {
		mount := image(t, Size(file), "mkfs.ext4", "-q")
		v, here := New(), local.New("longhorn", "")
		r, err := v.Reserve(context.Background(), nil, subject(mount), assay.Request{ID: "0123456789abcdef", Bytes: file})
		if err != nil {
			t.Fatal(err)
		}
		s, err := v.Lend(context.Background(), here, r)
		if err != nil || s.Bytes != file {
			t.Errorf("a claim of %d MiB for a file of %d MiB lends %d MiB: %v", Size(file)>>20, file>>20, s.Bytes>>20, err)
		}
		if err := v.Release(context.Background(), here, r); err != nil {
			t.Error(err)
		}
	}
	for _, file := range []int64{1, 32 << 20, 1 << 30, 100 << 30, 1 << 40} {
		size := Size(file)
		if usable(size) < file || size%step != 0 || size > file+file/4+3<<30 {
			t.Errorf("a claim of %d MiB for a file of %d MiB", size>>20, file>>20)
		}
	}
}

// TestSmall checks that the error says what was requested.
func TestSmall(t *testing.T) {
	needs(t, "mkfs.ext4")
	mount := image(t, 24<<20, "mkfs.ext4", "-q")
	v, here := New(), local.New("longhorn", "")
	r, err := v.Reserve(context.Background(), nil, subject(mount), assay.Request{ID: "0123456789abcdef", Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	_, err = v.Lend(context.Background(), here, r)
	if !errors.Is(err, assay.ErrNoSpace) || !strings.Contains(err.Error(), "20Gi of class longhorn") || !strings.Contains(assay.Hint(err), "size of the tier") {
		t.Errorf("got %v (%s)", err, assay.Hint(err))
	}
}

func TestDevice(t *testing.T) {
	for words, f := range map[string]guard.Facts{
		"not found":          {Absent: true},
		"not a block device": {Other: true},
		"read-only":          {Name: "dm-1", Bytes: 1 << 30, ReadOnly: true},
		"not enough space":   {Name: "dm-1", Bytes: 1 << 20},
		"not empty: ext4":    {Name: "dm-1", Bytes: 1 << 30, Signatures: []string{"ext4"}},
		"not empty: gpt":     {Name: "dm-1", Bytes: 1 << 30, Tables: []string{"gpt"}},
	} {
		f.Path = "/dev/longhorn"
		if err := check(f, 1<<30); err == nil || !strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), f.Path) {
			t.Errorf("got %v, want %q", err, words)
		}
	}
	// A loop device of the node's kubelet may be on top of it, and nothing has to show whether
	// it is held.
	if err := check(guard.Facts{Name: "dm-1", Bytes: 1 << 30, Holders: []string{"loop7"}}, 1<<30); err != nil {
		t.Error(err)
	}

	s := assay.Subject{ID: "longhorn/block/x", Kind: assay.KindBlock, Host: "longhorn", Name: "/dev/longhorn"}
	v := New()
	for _, name := range []string{"/etc/passwd", "/dev/../etc", "/dev/sda/x", "longhorn"} {
		bad := s
		bad.Name = name
		if r, err := v.Reserve(context.Background(), nil, bad, assay.Request{ID: "0123456789abcdef", Bytes: 1}); err == nil {
			t.Errorf("%s gave %+v", name, r)
		}
	}
	if _, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: "../x", Bytes: 1}); err == nil {
		t.Error("an unsafe id was taken")
	}
	r, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Release(context.Background(), gone{}, r); err != nil {
		t.Errorf("its pod is gone: %v", err)
	}
	for role := range r.Names {
		forged := r
		forged.Names = map[string]string{role: "/etc"}
		if err := v.Release(context.Background(), local.New("longhorn", ""), forged); err == nil {
			t.Errorf("released %v", forged.Names)
		}
	}
}

// gone is the place of a pod that no longer exists.
type gone struct{ assay.Place }

func (gone) Host() assay.Host { return assay.Host{Name: "longhorn"} }
func (gone) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, fmt.Errorf("pod longhorn: %w", kube.ErrRemoved)
}

// A run stored with the words themselves resumes like a current one.
func TestStoredClaim(t *testing.T) {
	var stored assay.Subject
	if err := json.Unmarshal([]byte(`{"id": "a/directory/x", "kind": "directory", "host": "a", "name": "/mnt/a", "source": "a claim for 20Gi of class longhorn", "volume": "pvc"}`), &stored); err != nil {
		t.Fatal(err)
	}
	now := stored
	now.Source, now.Params = "/dev/longhorn/pvc-1", Options{Class: "longhorn", Size: "20Gi"}.Params()
	for _, s := range []assay.Subject{stored, now} {
		r, err := New().Reserve(t.Context(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 1})
		if err != nil || r.Names["asked"] != "a claim for 20Gi of class longhorn" || r.Names["source"] != "" {
			t.Errorf("%+v, %v", r.Names, err)
		}
	}
}
