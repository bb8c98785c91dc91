package kube

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"assay"
	"assay/stacks/kube/api/apitest"
)

const claimUID = types.UID("5a1d8c1e-0000-4000-8000-000000000001")

// aVolume returns one bound to the claim of that UID.
func aVolume(name string, policy corev1.PersistentVolumeReclaimPolicy, marks ...string) *corev1.PersistentVolume {
	pv := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{}, ResourceVersion: "7"}}
	pv.Spec = corev1.PersistentVolumeSpec{PersistentVolumeReclaimPolicy: policy, StorageClassName: "longhorn",
		ClaimRef:    &corev1.ObjectReference{Namespace: "ns", Name: "data", UID: claimUID},
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce, corev1.ReadWriteMany},
		Capacity:    corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")}}
	pv.Status.Phase = corev1.VolumeBound
	for _, m := range marks {
		key, value, _ := strings.Cut(m, "=")
		pv.Annotations[key] = value
	}
	return pv
}

const (
	byDriver   = annotationMadeBy + "=driver.longhorn.io"
	byFinder   = annotationMadeBy + "=local-volume-provisioner-node1"
	boundLater = annotationBoundLater + "=yes"
)

// TestWhatBecomesOfVolumes checks the API requests for a volume whose claim is
// about to be deleted.
func TestWhatBecomesOfVolumes(t *testing.T) {
	const remove = `{"spec":{"persistentVolumeReclaimPolicy":"Delete"}}`
	const protect = `{"metadata":{"annotations":{"assay/reclaim-policy":"Delete"}},"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`
	retain, del := corev1.PersistentVolumeReclaimRetain, corev1.PersistentVolumeReclaimDelete
	for name, c := range map[string]struct {
		pv   *corev1.PersistentVolume
		want string
	}{
		"made for it, retained":                     {aVolume("pvc-"+string(claimUID), retain, byDriver), remove},
		"made for it within Kubernetes":             {aVolume("pvc-"+string(claimUID), retain, byDriver, boundLater), remove},
		"made for it by a name of another kind":     {aVolume("pvc-5a1d8c1e", retain, byDriver), remove},
		"made for it, deleted":                      {aVolume("pvc-"+string(claimUID), del, byDriver), ""},
		"another claim's of old, retained":          {aVolume("pvc-another", retain, byDriver, boundLater), ""},
		"another claim's of old, that was to go":    {aVolume("pvc-another", del, byDriver, boundLater), protect},
		"made by hand":                              {aVolume("nas", retain, boundLater), ""},
		"a local disk that was found":               {aVolume("local-1", retain, byFinder, boundLater), ""},
		"a local disk, to be wiped by its own kind": {aVolume("local-1", del, byFinder, boundLater), ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := apitest.Serve(t, c.pv)
			k := &Cluster{name: "home", client: server.Client}
			if err := k.LetVolumesGo(t.Context(), "ns", map[types.UID]bool{claimUID: true}); err != nil {
				t.Fatal(err)
			}
			if got := patches(server); got != c.want {
				t.Errorf("patched %q, want %q", got, c.want)
			}
		})
	}
}

func patches(server *apitest.Server) string {
	var all []string
	for _, r := range server.Asked() {
		if r.Verb == "patch" {
			all = append(all, r.Body)
		}
	}
	return strings.Join(all, "\n")
}

// A volume that existed before becomes available again as it was, and its
// provisioner never sees it unclaimed with policy Delete.
func TestGivenBackAsItWas(t *testing.T) {
	pv := aVolume("pvc-another", corev1.PersistentVolumeReclaimDelete, byDriver, boundLater)
	server := apitest.Serve(t, pv)
	k := &Cluster{name: "home", client: server.Client}
	these := map[types.UID]bool{claimUID: true}
	if err := k.LetVolumesGo(t.Context(), "ns", these); err != nil {
		t.Fatal(err)
	}
	kept, err := server.Client.PersistentVolumes().Get(t.Context(), pv.Name)
	if err != nil || kept.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimRetain {
		t.Fatalf("%+v, %v", kept, err)
	}
	kept.Status.Phase = corev1.VolumeReleased
	server.Put(kept)
	server.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
		if !strings.Contains(r.Body, `"claimRef":null`) {
			return false
		}
		server.Answer(w, r)
		go func() { // the controller marks it available a bit later
			now := kept.DeepCopy()
			now.Spec.ClaimRef, now.Status.Phase = nil, corev1.VolumeAvailable
			server.Put(now)
		}()
		return true
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := k.SeeVolumesGone(ctx, "ns", these); err != nil {
		t.Fatal(err)
	}
	free, err := server.Client.PersistentVolumes().Get(t.Context(), pv.Name)
	if err != nil || free.Spec.ClaimRef != nil || free.Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete || free.Annotations[annotationPolicy] != "" {
		b, _ := json.Marshal(free)
		t.Errorf("%s, %v", b, err)
	}
}

// A user who may see but not change volumes must not take the claim from one
// that would go with it.
func TestUnprotected(t *testing.T) {
	server := noPatches(apitest.Serve(t, aVolume("pvc-another", corev1.PersistentVolumeReclaimDelete, byDriver, boundLater)))
	err := (&Cluster{name: "home", client: server.Client}).LetVolumesGo(t.Context(), "ns", nil)
	if ReasonOf(err) != Claim || !strings.Contains(err.Error(), "pvc-another existed before") || assay.Hint(err) == "" {
		t.Errorf("got %v", err)
	}
}

func TestLeftoverVolumes(t *testing.T) {
	waits := storagev1.VolumeBindingWaitForFirstConsumer
	classes := []runtime.Object{
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "longhorn", Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}},
			Provisioner: "driver.longhorn.io"},
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "local-path"}, Provisioner: "rancher.io/local-path", VolumeBindingMode: &waits},
		&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "disks"}, Provisioner: "kubernetes.io/no-provisioner"},
	}
	for name, c := range map[string]struct {
		class   string // of claim and volume; "" for a claim of the default one
		size    string
		change  func(*corev1.PersistentVolume)
		refused bool
	}{
		"one that fits":           {"longhorn", "10Gi", nil, true},
		"of the default class":    {"", "1Gi", nil, true},
		"too small":               {"longhorn", "11Gi", nil, false},
		"kept for another claim":  {"longhorn", "1Gi", func(pv *corev1.PersistentVolume) { pv.Spec.ClaimRef = &corev1.ObjectReference{Name: "theirs"} }, false},
		"released, and not free":  {"longhorn", "1Gi", func(pv *corev1.PersistentVolume) { pv.Status.Phase = corev1.VolumeReleased }, false},
		"a device":                {"longhorn", "1Gi", func(pv *corev1.PersistentVolume) { block := corev1.PersistentVolumeBlock; pv.Spec.VolumeMode = &block }, false},
		"of another access":       {"longhorn", "1Gi", func(pv *corev1.PersistentVolume) { pv.Spec.AccessModes = pv.Spec.AccessModes[1:] }, false},
		"made by hand to be used": {"disks", "1Gi", nil, false},
		"of no class that is":     {"nfs", "1Gi", nil, false},
		"on the pod's node":       {"local-path", "1Gi", on("pi1"), true},
		"on another node":         {"local-path", "1Gi", on("pi2"), false},
		"on nodes in other words": {"local-path", "1Gi", by("topology.topolvm.io/node", "pi2"), false},
		"anywhere":                {"local-path", "1Gi", func(pv *corev1.PersistentVolume) { pv.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{} }, true},
		"of a class that does not wait, on another node": {"longhorn", "1Gi", on("pi2"), true},
	} {
		t.Run(name, func(t *testing.T) {
			pv := aVolume("pvc-another", corev1.PersistentVolumeReclaimRetain, byDriver)
			pv.Spec.ClaimRef, pv.Status.Phase = nil, corev1.VolumeAvailable
			spec := corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(c.size)}}}
			if c.class != "" {
				pv.Spec.StorageClassName, spec.StorageClassName = c.class, &c.class
			}
			if c.change != nil {
				c.change(pv)
			}
			k := &Cluster{name: "home", client: apitest.Serve(t, append(classes, pv)...).Client}
			err := k.CheckFree(t.Context(), spec, "pi1")
			if (err != nil) != c.refused || err != nil && (ReasonOf(err) != Claim || !strings.Contains(err.Error(), "pvc-another") || assay.Hint(err) == "") {
				t.Errorf("got %v (%s)", err, assay.Hint(err))
			}
		})
	}
}

func on(node string) func(*corev1.PersistentVolume) { return by(corev1.LabelHostname, node) }

func by(label, node string) func(*corev1.PersistentVolume) {
	return func(pv *corev1.PersistentVolume) {
		pv.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchExpressions: []corev1.NodeSelectorRequirement{{Key: label, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}}}
	}
}

func TestWhatAClaimWasGiven(t *testing.T) {
	for name, c := range map[string]struct {
		pv          *corev1.PersistentVolume
		class       string
		provisioner string
		refused     bool
	}{
		"its own":                        {aVolume("pvc-"+string(claimUID), "", byDriver), "longhorn", "driver.longhorn.io", false},
		"another's":                      {aVolume("pvc-another", "", byDriver, boundLater), "longhorn", "driver.longhorn.io", true},
		"made by hand of a class":        {aVolume("restored", "", boundLater), "longhorn", "driver.longhorn.io", true},
		"made by hand to be used":        {aVolume("nas", "", boundLater), "disks", "kubernetes.io/no-provisioner", false},
		"a local disk that was found":    {aVolume("local-1", "", byFinder, boundLater), "disks", "kubernetes.io/no-provisioner", false},
		"made by hand of no class":       {aVolume("nas", "", boundLater), "", "", false},
		"of a class that is not there":   {aVolume("nas", "", boundLater), "nfs", "", false},
		"another's, of a class not seen": {aVolume("pvc-another", "", byDriver, boundLater), "nfs", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			c.pv.Spec.StorageClassName = c.class
			objects := []runtime.Object{c.pv}
			if c.provisioner != "" {
				objects = append(objects, &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: c.class}, Provisioner: c.provisioner})
			}
			k := &Cluster{name: "home", client: apitest.Serve(t, objects...).Client}
			err := k.CheckMade(t.Context(), &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{VolumeName: c.pv.Name}})
			if (err != nil) != c.refused || err != nil && (ReasonOf(err) != Claim || !strings.Contains(err.Error(), c.pv.Name)) {
				t.Errorf("got %v", err)
			}
		})
	}
	k := &Cluster{name: "home", client: apitest.Serve(t).Client}
	if err := k.CheckMade(t.Context(), &corev1.PersistentVolumeClaim{}); err != nil {
		t.Errorf("a claim that has no volume yet: %v", err)
	}
}
