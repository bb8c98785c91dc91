package ephemeral

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"assay"
	"assay/place/local"
	"assay/stacks/kube"
)

func TestAttach(t *testing.T) {
	for _, bad := range []Options{
		{Size: "much"}, {Size: "-1Gi"}, {Size: "0"},
		{Class: "lab"}, {Class: "Not A Class", Size: "1Gi"},
	} {
		if a, err := Attach(bad, "scratch"); err == nil {
			t.Errorf("%+v gave %+v", bad, a)
		}
	}
	if _, err := Attach(Options{}, "Not a label"); err == nil {
		t.Error("a name that Kubernetes refuses was taken")
	}
	a, err := Attach(Options{Size: "10Gi"}, "scratch")
	if err != nil || a.Volume.EmptyDir == nil || a.Volume.EmptyDir.SizeLimit.Value() != 10<<30 || a.Volume.EmptyDir.Medium != "" ||
		a.Security != kube.Restricted || a.Persists || a.Claim != nil || a.Mount.MountPath != a.Path || a.Mount.Name != a.Volume.Name {
		t.Errorf("got %+v, %v", a, err)
	}
	if a, err = Attach(Options{}, "scratch"); err != nil || a.Volume.EmptyDir == nil || a.Volume.EmptyDir.SizeLimit != nil {
		t.Errorf("got %+v, %v", a, err)
	}
	a, err = Attach(Options{Class: "longhorn", Size: "10Gi"}, "scratch")
	if err != nil || a.Volume.Ephemeral == nil || *a.Volume.Ephemeral.VolumeClaimTemplate.Spec.StorageClassName != "longhorn" ||
		a.Volume.Ephemeral.VolumeClaimTemplate.Spec.Resources.Requests.Storage().Value() != 10<<30 || a.Security != kube.Restricted {
		t.Errorf("got %+v, %v", a, err)
	}
}

// df shows that the node's disk has room for the whole request, but the
// emptyDir must not hold that much.
func TestNoMoreThanItMayHold(t *testing.T) {
	mount := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2g", "assay-test", mount).CombinedOutput(); err != nil {
		t.Skipf("needs root to mount a tmpfs: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", mount).Run() })
	v, at := New(), local.New("scratch", "")
	for size, want := range map[string]int64{
		"256Mi": 256 << 20 * 9 / 10, "2G": 256 << 20, "64Mi": 64 << 20 * 9 / 10, "": 256 << 20, "24Mi": 0,
	} {
		s := assay.Subject{ID: "scratch/directory/x", Host: "scratch", Name: mount, Params: Options{Size: size}.Params()}
		r, err := v.Reserve(context.Background(), nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 256 << 20})
		if err != nil {
			t.Fatal(err)
		}
		lent, err := v.Lend(context.Background(), at, r)
		if lent.Bytes > want+1 || lent.Bytes < want || (err == nil) != (want > 0) {
			t.Errorf("of %q it lends %d bytes, want %d: %v", size, lent.Bytes, want, err)
		}
		if err != nil && (!errors.Is(err, assay.ErrNoSpace) || !strings.Contains(err.Error(), "24Mi") || assay.Hint(err) == "") {
			t.Errorf("it says %v (%s)", err, assay.Hint(err))
		}
		if err := v.Release(context.Background(), at, r); err != nil {
			t.Error(err)
		}
	}
	if params := (Options{Size: "10Gi", Class: "longhorn"}).Params(); params != nil {
		t.Errorf("a volume of a class is a file system of its own, and %q", params)
	}
}

// gone is the place of a pod that no longer exists.
type gone struct{ assay.Place }

func (gone) Host() assay.Host { return assay.Host{Name: "scratch"} }
func (gone) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, kube.ErrRemoved
}

func TestReleaseWithoutThePod(t *testing.T) {
	v := New()
	r, err := v.Reserve(context.Background(), nil, assay.Subject{ID: "scratch/directory/x", Host: "scratch", Name: "/mnt/scratch"}, assay.Request{ID: "0123456789abcdef", Bytes: 64 << 20})
	if err != nil || r.Volume != Kind {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := v.Release(context.Background(), gone{}, r); err != nil {
		t.Error(err)
	}
	r.Names["dir"] = "/etc"
	if err := v.Release(context.Background(), gone{}, r); err == nil {
		t.Error("a forged receipt was released")
	}
}

// A run stored with the bound as text resumes like a current one.
func TestStoredBound(t *testing.T) {
	var stored assay.Subject
	if err := json.Unmarshal([]byte(`{"id": "a/directory/x", "kind": "directory", "host": "a", "name": "/mnt/a", "source": "an emptyDir of at most 2Gi", "volume": "ephemeral"}`), &stored); err != nil {
		t.Fatal(err)
	}
	r, err := New().Reserve(t.Context(), nil, stored, assay.Request{ID: "0123456789abcdef", Bytes: 1})
	if err != nil || r.Names[roleSize] != "2Gi" || r.Names["source"] != "" {
		t.Errorf("%+v, %v", r.Names, err)
	}
}
