package kube

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"assay"
)

const longhornDriver = "driver.longhorn.io"

// Longhorn's own kinds; https://longhorn.io/docs, "Longhorn CRDs".
var (
	longhornVolumes  = schema.GroupVersionResource{Group: "longhorn.io", Version: "v1beta2", Resource: "volumes"}
	longhornReplicas = schema.GroupVersionResource{Group: "longhorn.io", Version: "v1beta2", Resource: "replicas"}
)

// askLonghorn reads how many copies there are of a volume, where, and whether all
// are well. Without the right to look it tells what the persistent volume was made
// with.
func (s *Stack) askLonghorn(ctx context.Context, objects dynamic.Interface, name string, settings map[string]string, node string) {
	f := &assay.StackFacts{Kind: "longhorn"}
	s.Facts = f
	f.Copies, _ = strconv.Atoi(settings["numberOfReplicas"])
	s.Locality = settings["dataLocality"]
	volume, err := theVolume(ctx, objects, name)
	if err != nil {
		s.miss("health of Longhorn volume "+name, err, "list", "volumes.longhorn.io -A")
		s.miss("nodes of the copies", err, "list", "replicas.longhorn.io -A")
		return
	}
	text := func(fields ...string) string {
		v, _, _ := unstructured.NestedString(volume.Object, fields...)
		return v
	}
	asked, _, _ := unstructured.NestedInt64(volume.Object, "spec", "numberOfReplicas")
	f.Copies = int(asked)
	s.Locality = text("spec", "dataLocality")
	f.Health = text("status", "robustness")
	f.Version = tagOf(text("status", "currentImage"))
	// What is written leaves the node where the volume is attached, and for one
	// that many pods share (ReadWriteMany) that is its NFS server's.
	at := text("status", "currentNodeID")
	if at == "" {
		at = node
	}
	if at != node && node != "" {
		s.note("longhorn-elsewhere", "the volume is attached on node %s and reaches %s over the network as well", at, node)
	}
	replicas, err := objects.Resource(longhornReplicas).Namespace(volume.GetNamespace()).
		List(ctx, metav1.ListOptions{LabelSelector: "longhornvolume=" + name})
	if err != nil {
		s.miss("nodes of the copies", err, "list", "replicas.longhorn.io -A")
	} else {
		s.place(replicas.Items, at, int(asked))
	}
	if f.Health != "healthy" {
		s.note("longhorn-health", "Longhorn says that the volume is %s%s", orUnknown(f.Health), whyNot(volume))
	}
}

// theVolume finds a volume in whatever namespace Longhorn was installed.
func theVolume(ctx context.Context, objects dynamic.Interface, name string) (*unstructured.Unstructured, error) {
	all, err := objects.Resource(longhornVolumes).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return nil, err
	}
	for i := range all.Items {
		if all.Items[i].GetName() == name {
			return &all.Items[i], nil
		}
	}
	return nil, fmt.Errorf("longhorn has no volume %s", name)
}

// place counts the copies that take writes: those that run, of which a copy that
// is being rebuilt is one.
func (s *Stack) place(replicas []unstructured.Unstructured, at string, asked int) {
	f := s.Facts
	f.Copies, f.Remote = 0, 0
	var nodes, drives []string
	rebuilt := 0
	for _, r := range replicas {
		text := func(fields ...string) string {
			v, _, _ := unstructured.NestedString(r.Object, fields...)
			return v
		}
		node := text("spec", "nodeID")
		if text("status", "currentState") != "running" || text("spec", "failedAt") != "" || node == "" {
			continue
		}
		f.Copies++
		if node != at {
			f.Remote++
		}
		if text("spec", "healthyAt") == "" {
			rebuilt++
		}
		nodes, drives = append(nodes, node), append(drives, text("spec", "diskID"))
	}
	slices.Sort(nodes)
	s.Copies = slices.Clone(nodes)
	slices.Sort(drives)
	f.Nodes, f.Drives = len(slices.Compact(nodes)), len(slices.Compact(drives))
	// Longhorn may call a volume healthy of which a copy was never placed:
	// https://github.com/longhorn/longhorn/issues/11916
	if f.Copies < asked {
		s.note("longhorn-copies", "%d of %d copies take writes", f.Copies, asked)
	}
	if rebuilt > 0 {
		s.note("longhorn-rebuild", "%d of %d copies are being rebuilt, which takes of the network and the drives", rebuilt, f.Copies)
	}
	if at == "" {
		f.Remote = 0
		s.Missing = append(s.Missing, assay.MissingFact{Fact: "copies on other nodes", Why: "the volume is not attached",
			Hint: "look while a pod uses it"})
	}
}

// whyNot is what the volume's condition says of copies that found no place.
func whyNot(volume *unstructured.Unstructured) string {
	conditions, _, _ := unstructured.NestedSlice(volume.Object, "status", "conditions")
	for _, c := range conditions {
		if m, ok := c.(map[string]any); ok && m["type"] == "Scheduled" && m["status"] == "False" {
			if message, _ := m["message"].(string); message != "" {
				return ": " + message
			}
		}
	}
	return ""
}

func (s *Stack) note(id, format string, args ...any) {
	s.Notes = append(s.Notes, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
}

// tagOf gives the version in the name of an image, "" where there is none.
func tagOf(image string) string {
	at := strings.LastIndexByte(image, ':')
	if at < strings.LastIndexByte(image, '/') || at < 0 {
		return ""
	}
	return image[at+1:]
}

func orUnknown(word string) string {
	if word == "" {
		return "in a state that it does not name"
	}
	return word
}
