package ephemeral

import (
	"context"
	"testing"

	"assay"
	"assay/kube"
)

func TestAttach(t *testing.T) {
	for _, bad := range []Options{
		{Medium: "Memory"}, {Medium: "memory"}, {Medium: "HugePages"}, {Size: "much"}, {Size: "-1Gi"}, {Size: "0"},
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

// gone is the place of a pod that is no more.
type gone struct{ assay.Place }

func (gone) Host() assay.Host { return assay.Host{Name: "scratch"} }
func (gone) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, kube.ErrRemoved
}

func TestReleaseWithoutThePod(t *testing.T) {
	v := New()
	r, err := v.Reserve("0123456789abcdef", assay.Subject{ID: "scratch/directory/x", Host: "scratch", Name: "/mnt/scratch"}, 64<<20)
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
