package kube

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"assay"
	"assay/stacks/kube/api/apitest"
)

// forbid refuses requests for some resources.
func forbid(s *apitest.Server, resources ...string) *apitest.Server {
	s.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
		if !slices.Contains(resources, r.Resource) {
			return false
		}
		apitest.Refuse(w, apierrors.NewForbidden(schema.GroupResource{Resource: r.Resource}, r.Name, errors.New("no")))
		return true
	})
	return s
}

// noPatches refuses all changes.
func noPatches(s *apitest.Server) *apitest.Server {
	s.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
		if r.Verb != "patch" {
			return false
		}
		apitest.Refuse(w, apierrors.NewForbidden(schema.GroupResource{Resource: r.Resource}, r.Name, errors.New("no")))
		return true
	})
	return s
}

// A user who may not see volumes is judged by the claim: it is used and deleted
// only if its volume can be nobody else's.
func TestClaimWhoseVolumeMayNotBeSeen(t *testing.T) {
	classes := []runtime.Object{
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "longhorn"}, Provisioner: "driver.longhorn.io"},
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "disks"}, Provisioner: "kubernetes.io/no-provisioner"},
	}
	pv, both := []string{"persistentvolumes"}, []string{"persistentvolumes", "storageclasses"}
	for name, c := range map[string]struct {
		volume, class string
		hidden        []string
		refused       bool
	}{
		"without a volume":                      {"", "longhorn", both, false},
		"one made for it":                       {"pvc-" + string(claimUID), "longhorn", both, false},
		"one made for it, with another prefix":  {"home-" + string(claimUID), "longhorn", pv, false},
		"one made for it, with a shorter name":  {"pvc-5a1d8c1e00", "longhorn", both, false},
		"another's":                             {"pvc-0b5f0a5c-0000-4000-8000-000000000002", "longhorn", pv, true},
		"another's, of a class not seen":        {"pvc-0b5f0a5c-0000-4000-8000-000000000002", "longhorn", both, true},
		"another's, with a shorter name":        {"pvc-5a1d8c1f00", "longhorn", pv, true},
		"a name that begins alike and is short": {"pvc-5a1d", "longhorn", pv, true},
		"a name that ends in nothing":           {"restored-", "longhorn", pv, true},
		"of a class that is not there":          {"nas", "nfs", pv, true},
		"made by hand to be used":               {"local-1", "disks", pv, false},
		"made by hand, of a class not seen":     {"local-1", "disks", both, true},
		"made by hand of no class":              {"nas", "", both, false},
	} {
		t.Run(name, func(t *testing.T) {
			claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Namespace: "ns", UID: claimUID,
				// It proves nothing: it is written before the volume is made.
				Annotations: map[string]string{annotationProvisioner: "driver.longhorn.io"}}}
			claim.Spec.VolumeName, claim.Spec.StorageClassName = c.volume, &c.class
			k := &Cluster{name: "home", client: forbid(apitest.Serve(t, classes...), c.hidden...).Client}
			made := k.CheckMade(t.Context(), claim)
			unseen, gone := k.LetClaimGo(t.Context(), claim)
			if !unseen {
				t.Error("its volume was seen")
			}
			for _, err := range []error{made, gone} {
				if (err != nil) != c.refused {
					t.Errorf("got %v", err)
				}
				if err != nil && (ReasonOf(err) != Claim || !strings.Contains(err.Error(), c.volume) || !errors.Is(err, assay.ErrBusy) || assay.Hint(err) == "") {
					t.Errorf("got %v (%s)", err, assay.Hint(err))
				}
			}
		})
	}
}

// A user who may see but not change volumes leaves one made for the claim, whatever
// its name, to its class, and does not take the claim from another.
func TestLetClaimGo(t *testing.T) {
	retain, del := corev1.PersistentVolumeReclaimRetain, corev1.PersistentVolumeReclaimDelete
	for name, c := range map[string]struct {
		pv      *corev1.PersistentVolume
		change  bool // it may
		blind   bool
		refused bool
	}{
		"made for it":                {aVolume("vol7", retain, byDriver), true, false, false},
		"made for it, not changed":   {aVolume("vol7", retain, byDriver), false, true, false},
		"another's":                  {aVolume("vol7", del, byDriver, boundLater), true, false, false},
		"another's, not to be saved": {aVolume("vol7", del, byDriver, boundLater), false, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			server := apitest.Serve(t, c.pv)
			if !c.change {
				noPatches(server)
			}
			claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Namespace: "ns", UID: claimUID}}
			claim.Spec.VolumeName, claim.Spec.StorageClassName = c.pv.Name, &c.pv.Spec.StorageClassName
			blind, err := (&Cluster{name: "home", client: server.Client}).LetClaimGo(t.Context(), claim)
			if blind != c.blind || (err != nil) != c.refused || err != nil && ReasonOf(err) != Claim {
				t.Errorf("got %t, %v", blind, err)
			}
		})
	}
}

// If a run was killed between giving a volume back and restoring its policy,
// the next run restores it: nothing else shows that the volume was lent.
func TestPolicyIsRestoredLater(t *testing.T) {
	free := aVolume("freed", corev1.PersistentVolumeReclaimRetain, byDriver, annotationPolicy+"=Delete")
	free.Spec.ClaimRef, free.Status.Phase = nil, corev1.VolumeAvailable
	lent := aVolume("lent", corev1.PersistentVolumeReclaimRetain, byDriver, boundLater, annotationPolicy+"=Delete")
	lent.Spec.ClaimRef.Namespace = "another"
	client := apitest.Serve(t, free, lent).Client
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := (&Cluster{name: "home", client: client}).SeeVolumesGone(ctx, "ns", map[types.UID]bool{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]corev1.PersistentVolumeReclaimPolicy{"freed": corev1.PersistentVolumeReclaimDelete, "lent": corev1.PersistentVolumeReclaimRetain} {
		pv, err := client.PersistentVolumes().Get(t.Context(), name)
		if err != nil || pv.Spec.PersistentVolumeReclaimPolicy != want || (pv.Annotations[annotationPolicy] == "") != (name == "freed") {
			t.Errorf("%s: %s %v, %v", name, pv.Spec.PersistentVolumeReclaimPolicy, pv.Annotations, err)
		}
	}
}

func TestDefaultClass(t *testing.T) {
	const mark, old = "storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"
	class := func(name, mark, value string, minute int) runtime.Object {
		return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{mark: value},
			CreationTimestamp: metav1.NewTime(time.Date(2026, 1, 1, 12, minute, 0, 0, time.UTC))}}
	}
	for name, c := range map[string]struct {
		classes []runtime.Object
		want    string // "" for none
	}{
		"one":                 {[]runtime.Object{class("a", mark, "false", 9), class("b", mark, "true", 1)}, "b"},
		"the newest":          {[]runtime.Object{class("a", mark, "true", 1), class("b", mark, "true", 3), class("c", mark, "true", 2)}, "b"},
		"of an age, by name":  {[]runtime.Object{class("c", mark, "true", 1), class("b", mark, "true", 1)}, "b"},
		"in the old spelling": {[]runtime.Object{class("a", mark, "true", 1), class("b", old, "true", 2)}, "b"},
		"none":                {[]runtime.Object{class("a", mark, "false", 1), class("b", "x", "true", 2)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := (&Cluster{name: "home", client: apitest.Serve(t, c.classes...).Client}).class(t.Context(), "")
			if c.want == "" && ReasonOf(err) != NotFound || c.want != "" && (err != nil || got.Name != c.want) {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}
