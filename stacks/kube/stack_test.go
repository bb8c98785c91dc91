package kube

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"assay"
	"assay/stacks/kube/api/apitest"
)

// recorded reads a recording of testdata/longhorn.
func recorded(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "longhorn", name))
	if err != nil {
		t.Fatal(err)
	}
	j, err := yaml.YAMLToJSON(b)
	if err == nil {
		err = json.Unmarshal(j, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// longhorn is the recorded cluster, for tests to modify.
type longhorn struct {
	claim    corev1.PersistentVolumeClaim
	pv       corev1.PersistentVolume
	volume   unstructured.Unstructured
	replicas unstructured.UnstructuredList
	class    *storagev1.StorageClass
	refused  string // a resource that must not be listed
}

func recordedLonghorn(t *testing.T) *longhorn {
	l := &longhorn{class: &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "longhorn-rwx-nvme-bench-3r"}, Provisioner: longhornDriver,
		Parameters: map[string]string{"numberOfReplicas": "3", "diskSelector": "nvme"}}}
	recorded(t, "claim.yaml", &l.claim)
	recorded(t, "persistentvolume.yaml", &l.pv)
	recorded(t, "volume.yaml", &l.volume)
	recorded(t, "replicas.yaml", &l.replicas)
	return l
}

func (l *longhorn) ask(t *testing.T, node string) (Stack, error) {
	t.Helper()
	objects := []runtime.Object{&l.volume}
	for i := range l.replicas.Items {
		objects = append(objects, &l.replicas.Items[i])
	}
	other := l.volume.DeepCopy()
	other.SetName("pvc-another")
	server := forbid(apitest.Serve(t, append(objects, other, &l.claim, &l.pv, l.class)...), l.refused)
	return StackOf(t.Context(), server.Client, l.claim.Namespace, l.claim.Name, node)
}

func ids(notes []assay.Note) []string {
	var all []string
	for _, n := range notes {
		all = append(all, n.ID)
	}
	return all
}

func TestLonghorn(t *testing.T) {
	s, err := recordedLonghorn(t).ask(t, "dauwalter")
	if err != nil {
		t.Fatal(err)
	}
	want := assay.StackFacts{Kind: "longhorn", Version: "v1.10.1", Health: "healthy", Nodes: 3, Drives: 3, Copies: 3, Remote: 2}
	if s.Facts == nil || !reflect.DeepEqual(*s.Facts, want) {
		t.Errorf("got %+v, want %+v", s.Facts, want)
	}
	if s.Driver != longhornDriver || s.Provisioner != longhornDriver || s.Locality != "disabled" || len(s.Copies) != 3 || s.Parameters["diskSelector"] != "nvme" ||
		s.Class != "longhorn-rwx-nvme-bench-3r" || len(s.Missing) != 0 || len(s.Notes) != 0 {
		t.Errorf("got %+v", s)
	}
}

// TestLonghornStates changes copies of the recordings unless a case names
// another.
func TestLonghornStates(t *testing.T) {
	set := func(u *unstructured.Unstructured, value any, fields ...string) {
		if err := unstructured.SetNestedField(u.Object, value, fields...); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(*longhorn)
		node   string
		facts  func(*assay.StackFacts)
		notes  []string
		words  string // in a note or missing fact
		missed int
	}{
		"served from another node": {node: "fordyce", notes: []string{"longhorn-elsewhere"}, words: "attached on node dauwalter"},
		"no copy where it is attached": {node: "fordyce", change: func(l *longhorn) { set(&l.volume, "fordyce", "status", "currentNodeID") },
			facts: func(f *assay.StackFacts) { f.Remote = 3 }},
		"recorded: degraded": {node: "walmsley", change: func(l *longhorn) {
			// The published degraded volume, with two replicas of the other one.
			recorded(t, "volume-degraded.yaml", &l.volume)
			l.pv.Spec.CSI.VolumeHandle = l.volume.GetName()
			l.replicas.Items = l.replicas.Items[:2]
			for i := range l.replicas.Items {
				l.replicas.Items[i].SetLabels(map[string]string{"longhornvolume": l.volume.GetName()})
			}
		}, facts: func(f *assay.StackFacts) { f.Health, f.Nodes, f.Drives, f.Copies, f.Remote = "degraded", 2, 2, 2, 1 },
			notes: []string{"longhorn-copies", "longhorn-health"}, words: "degraded: precheck new replica failed: insufficient storage; tags not fulfilled"},
		"a failed replica of a volume that is called healthy": {node: "dauwalter", change: func(l *longhorn) {
			set(&l.replicas.Items[0], "2026-07-02T15:20:00Z", "spec", "failedAt")
		}, facts: func(f *assay.StackFacts) { f.Nodes, f.Drives, f.Copies, f.Remote = 2, 2, 2, 1 }, notes: []string{"longhorn-copies"}, words: "2 of 3 replicas"},
		"a replica that was never placed": {node: "dauwalter", change: func(l *longhorn) {
			set(&l.replicas.Items[0], "", "spec", "nodeID")
			set(&l.replicas.Items[0], "stopped", "status", "currentState")
		}, facts: func(f *assay.StackFacts) { f.Nodes, f.Drives, f.Copies, f.Remote = 2, 2, 2, 1 }, notes: []string{"longhorn-copies"}},
		"rebuilding": {node: "dauwalter", change: func(l *longhorn) { set(&l.replicas.Items[0], "", "spec", "healthyAt") },
			notes: []string{"longhorn-rebuild"}, words: "1 of 3 replicas are being rebuilt"},
		"two copies on one node": {node: "dauwalter", change: func(l *longhorn) { set(&l.replicas.Items[0], "dauwalter", "spec", "nodeID") },
			facts: func(f *assay.StackFacts) { f.Nodes, f.Remote = 2, 1 }},
		"not attached, and no pod": {change: func(l *longhorn) { set(&l.volume, "", "status", "currentNodeID") },
			facts: func(f *assay.StackFacts) { f.Remote = 0 }, missed: 1, words: "not attached"},
		"replicas may not be listed": {node: "dauwalter", change: func(l *longhorn) { l.refused = "replicas" },
			facts: func(f *assay.StackFacts) { f.Nodes, f.Drives, f.Remote = 0, 0, 0 }, missed: 1, words: "can-i list replicas.longhorn.io"},
		"volumes may not be listed": {node: "dauwalter", change: func(l *longhorn) { l.refused = "volumes" },
			facts:  func(f *assay.StackFacts) { *f = assay.StackFacts{Kind: "longhorn", Copies: 3} },
			missed: 2, words: "can-i list volumes.longhorn.io"},
		"a volume that Longhorn does not have": {node: "dauwalter", change: func(l *longhorn) { l.pv.Spec.CSI.VolumeHandle = "pvc-nothing" },
			facts:  func(f *assay.StackFacts) { *f = assay.StackFacts{Kind: "longhorn", Copies: 3} },
			missed: 2, words: "no volume pvc-nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			l := recordedLonghorn(t)
			if c.change != nil {
				c.change(l)
			}
			s, err := l.ask(t, c.node)
			if err != nil {
				t.Fatal(err)
			}
			want := assay.StackFacts{Kind: "longhorn", Version: "v1.10.1", Health: "healthy", Nodes: 3, Drives: 3, Copies: 3, Remote: 2}
			if c.facts != nil {
				c.facts(&want)
			}
			if !reflect.DeepEqual(*s.Facts, want) {
				t.Errorf("got  %+v\nwant %+v", *s.Facts, want)
			}
			if got := ids(s.Notes); !slices.Equal(got, c.notes) || len(s.Missing) != c.missed {
				t.Errorf("notes %v, want %v; missing %+v", s.Notes, c.notes, s.Missing)
			}
			said, _ := json.Marshal([]any{s.Notes, s.Missing})
			if !strings.Contains(string(said), c.words) {
				t.Errorf("%s does not say %q", said, c.words)
			}
		})
	}
}

// TestOtherStacks covers what the class and the driver alone reveal.
func TestOtherStacks(t *testing.T) {
	for name, c := range map[string]struct {
		driver     string // "" for a local volume
		parameters map[string]string
		kind       string // "" for no facts
		copies     int
		missing    string
	}{
		"local":   {},
		"linstor": {driver: "linstor.csi.linbit.com", parameters: map[string]string{"autoPlace": "2"}, kind: "drbd", copies: 2, missing: "linstor resource list"},
		"linstor, in full": {driver: "linstor.csi.linbit.com", parameters: map[string]string{"linstor.csi.linbit.com/placementCount": "3"},
			kind: "drbd", copies: 3, missing: "nodes of the replicas"},
		"mayastor": {driver: "io.openebs.csi-mayastor", parameters: map[string]string{"repl": "2"}, kind: "mayastor", copies: 2, missing: "nodes of the replicas"},
		"rook":     {driver: "rook-ceph.rbd.csi.ceph.com", parameters: map[string]string{"pool": "fast"}, kind: "ceph", missing: "ceph osd pool get fast size"},
		"unknown":  {driver: "csi.example.com", missing: "unknown CSI driver csi.example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			class := "c"
			pv := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v"}}
			if c.driver != "" {
				pv.Spec.CSI = &corev1.CSIPersistentVolumeSource{Driver: c.driver, VolumeHandle: "v"}
			} else {
				pv.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
					MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{"node1"}}}}}}}
			}
			server := apitest.Serve(t, pv,
				&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Provisioner: "p", Parameters: c.parameters},
				&corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "n"},
					Spec: corev1.PersistentVolumeClaimSpec{VolumeName: "v", StorageClassName: &class}})
			s, err := StackOf(t.Context(), server.Client, "n", "c", "node1")
			if err != nil {
				t.Fatal(err)
			}
			if c.kind == "" && s.Facts != nil || c.kind != "" && (s.Facts == nil || s.Facts.Kind != c.kind || s.Facts.Copies != c.copies) {
				t.Errorf("got %+v", s.Facts)
			}
			said, _ := json.Marshal(s.Missing)
			if !strings.Contains(string(said), c.missing) || c.missing == "" && len(s.Missing) > 0 {
				t.Errorf("%s does not say %q", said, c.missing)
			}
			if s.Provisioner != "p" || c.driver == "" && !slices.Equal(s.Nodes, []string{"node1"}) {
				t.Errorf("got %+v", s)
			}
		})
	}
	server := apitest.Serve(t, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "pending", Namespace: "n"}})
	for _, claim := range []string{"pending", "nothing"} {
		if s, err := StackOf(t.Context(), server.Client, "n", claim, ""); err == nil {
			t.Errorf("%s: %+v", claim, s)
		}
	}
}

func TestTagOf(t *testing.T) {
	for image, want := range map[string]string{"longhornio/longhorn-engine:v1.10.1": "v1.10.1", "registry:5000/longhorn-engine": "", "": "", "a:b": "b"} {
		if got := tagOf(image); got != want {
			t.Errorf("%q gave %q", image, got)
		}
	}
}
