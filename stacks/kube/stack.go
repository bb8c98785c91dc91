package kube

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"assay"
	"assay/stacks/kube/api"
)

// Stack is what the API reports about the storage under a claim.
type Stack struct {
	assay.ClaimFacts
	Parameters map[string]string // of the class
	// Facts is nil if nothing says that the storage is replicated.
	Facts   *assay.StackFacts
	Missing []assay.MissingFact // each with how to get it
	Notes   []assay.Note        // to be read along with the figures
}

// StackOf looks up the storage under a bound claim. node is where the claim's pod
// runs. Where the user may not look, that is a missing fact, not an error; an error
// means that the claim itself could not be read, or is not bound.
func StackOf(ctx context.Context, client *api.Client, namespace, claim, node string) (Stack, error) {
	c, err := client.PersistentVolumeClaims(namespace).Get(ctx, claim)
	if err != nil {
		return Stack{}, fmt.Errorf("get claim %s/%s: %w", namespace, claim, err)
	}
	if c.Spec.VolumeName == "" {
		return Stack{}, fmt.Errorf("claim %s/%s is %s: it has no volume yet", namespace, claim, c.Status.Phase)
	}
	s := Stack{ClaimFacts: assay.ClaimFacts{Volume: c.Spec.VolumeName, Provisioner: c.Annotations[annotationProvisioner]}}
	if c.Spec.StorageClassName != nil {
		s.Class = *c.Spec.StorageClassName
	}
	if s.Class != "" {
		class, err := client.StorageClasses().Get(ctx, s.Class)
		if err != nil {
			s.miss("storage class "+s.Class, err, "get", "storageclasses.storage.k8s.io")
		} else {
			s.describe(class)
		}
	}
	volume, err := client.PersistentVolumes().Get(ctx, s.Volume)
	if err != nil {
		s.miss("persistent volume "+s.Volume, err, "get", "persistentvolumes")
		return s, nil
	}
	s.Nodes = NodesOf(volume.Spec.NodeAffinity)
	if made := volume.Annotations[annotationMadeBy]; made != "" {
		s.Provisioner = made
	}
	if volume.Spec.CSI == nil {
		return s, nil
	}
	s.Driver = volume.Spec.CSI.Driver
	settings := volume.Spec.CSI.VolumeAttributes
	if s.Driver == longhornDriver {
		s.askLonghorn(ctx, client, volume.Spec.CSI.VolumeHandle, settings, node)
		return s, nil
	}
	s.guess(settings)
	return s, nil
}

const (
	annotationProvisioner = "volume.kubernetes.io/storage-provisioner"
	annotationMadeBy      = "pv.kubernetes.io/provisioned-by"
)

func (s *Stack) describe(class *storagev1.StorageClass) {
	s.Parameters = class.Parameters
	if s.Provisioner == "" {
		s.Provisioner = class.Provisioner
	}
}

// miss adds a fact that is unavailable, with the right that would give it.
func (s *Stack) miss(fact string, err error, verb, resource string) {
	s.Missing = append(s.Missing, assay.MissingFact{Fact: fact, Why: Said(err),
		Hint: "kubectl auth can-i " + verb + " " + resource + " must answer yes"})
}

// NodesOf returns the nodes that can use a volume: local volumes list them by
// hostname label or by name.
func NodesOf(affinity *corev1.VolumeNodeAffinity) []string {
	if affinity == nil || affinity.Required == nil {
		return nil
	}
	var all []string
	for _, term := range affinity.Required.NodeSelectorTerms {
		for _, e := range slices.Concat(term.MatchExpressions, term.MatchFields) {
			if (e.Key == corev1.LabelHostname || e.Key == "metadata.name") && e.Operator == corev1.NodeSelectorOpIn {
				all = append(all, e.Values...)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// replicated are drivers that copy each byte to several nodes, with the name of
// such storage, the parameters that hold the number of copies, and what shows
// where they are. Parameters without a prefix are the older or shorter spelling.
var replicated = []struct {
	driver string // or its suffix: operators prepend their namespace
	kind   string
	copies []string
	tell   string
}{
	// LINSTOR User's Guide, "Available Parameters in a Storage Class".
	{"linstor.csi.linbit.com", "drbd", []string{"linstor.csi.linbit.com/placementCount", "linstor.csi.linbit.com/autoPlace", "placementCount", "autoPlace"},
		"linstor resource list"},
	// https://openebs.io/docs, "Storage Class Parameters" of Replicated PV Mayastor.
	{"io.openebs.csi-mayastor", "mayastor", []string{"repl"}, "kubectl mayastor get volume-replica-topologies"},
	// The pool sets the number of copies; the class only names the pool.
	{"rbd.csi.ceph.com", "ceph", nil, "ceph osd pool get POOL size, and ceph -s"},
	{"cephfs.csi.ceph.com", "ceph", nil, "ceph osd pool get POOL size, and ceph -s"},
}

// guess reports what the driver's name and settings reveal: that it is
// replicated, but not where its copies are.
func (s *Stack) guess(settings map[string]string) {
	for _, r := range replicated {
		if s.Driver != r.driver && !strings.HasSuffix(s.Driver, "."+r.driver) {
			continue
		}
		s.Facts = &assay.StackFacts{Kind: r.kind}
		for _, key := range r.copies {
			for _, from := range []map[string]string{settings, s.Parameters} {
				if n, err := strconv.Atoi(from[key]); err == nil && n > 0 && s.Facts.Copies == 0 {
					s.Facts.Copies = n
				}
			}
		}
		hint := "check with: " + strings.Replace(r.tell, "POOL", orPool(settings["pool"], s.Parameters["pool"]), 1)
		if s.Facts.Copies == 0 {
			s.Missing = append(s.Missing, assay.MissingFact{Fact: "replicas of each byte", Why: "not stated by class or volume", Hint: hint})
		}
		s.Missing = append(s.Missing, assay.MissingFact{Fact: "nodes of the replicas", Why: "not available from the Kubernetes API", Hint: hint})
		return
	}
	s.Missing = append(s.Missing, assay.MissingFact{Fact: "replication of " + s.Volume, Why: "unknown CSI driver " + s.Driver,
		Hint: "check with the driver's own tools how many replicas it keeps, and where"})
}

func orPool(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return "POOL"
}
