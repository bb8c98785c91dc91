package kube

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"assay"
	"assay/stacks/kube/api"
)

const longhornDriver = "driver.longhorn.io"

// Longhorn's own kinds; https://longhorn.io/docs, "Longhorn CRDs".
var longhornGroup = schema.GroupVersion{Group: "longhorn.io", Version: "v1beta2"}

// longhornVolume is what is read of a volume.
type longhornVolume struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		NumberOfReplicas int    `json:"numberOfReplicas"`
		DataLocality     string `json:"dataLocality"`
	} `json:"spec"`
	Status struct {
		CurrentImage  string `json:"currentImage"`
		CurrentNodeID string `json:"currentNodeID"`
		Robustness    string `json:"robustness"`
		Conditions    []struct {
			Type    string `json:"type"`
			Status  string `json:"status"`
			Message string `json:"message"`
		} `json:"conditions"`
	} `json:"status"`
}

// longhornReplica is one copy of a volume.
type longhornReplica struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		NodeID    string `json:"nodeID"`
		DiskID    string `json:"diskID"`
		FailedAt  string `json:"failedAt"`
		HealthyAt string `json:"healthyAt"`
	} `json:"spec"`
	Status struct {
		CurrentState string `json:"currentState"`
	} `json:"status"`
}

// askLonghorn reads how many copies a volume has, where, and whether all are
// healthy. Without the right to look, it reports what the persistent volume was
// created with.
func (s *Stack) askLonghorn(ctx context.Context, client *api.Client, name string, settings map[string]string, node string) {
	f := &assay.StackFacts{Kind: "longhorn"}
	s.Facts = f
	f.Copies, _ = strconv.Atoi(settings["numberOfReplicas"])
	s.Locality = settings["dataLocality"]
	volume, err := theVolume(ctx, client, name)
	if err != nil {
		s.miss("health of Longhorn volume "+name, err, "list", "volumes.longhorn.io -A")
		s.miss("nodes of the replicas", err, "list", "replicas.longhorn.io -A")
		return
	}
	f.Copies = volume.Spec.NumberOfReplicas
	s.Locality = volume.Spec.DataLocality
	f.Health = volume.Status.Robustness
	f.Version = tagOf(volume.Status.CurrentImage)
	// Writes leave the node that the volume is attached to; for a volume shared
	// by many pods (ReadWriteMany), that is its NFS server's node.
	at := volume.Status.CurrentNodeID
	if at == "" {
		at = node
	}
	if at != node && node != "" {
		s.note("longhorn-elsewhere", "the volume is attached on node %s, so %s also reaches it over the network", at, node)
	}
	replicas, err := api.At[longhornReplica](client, longhornGroup.WithResource("replicas")).In(volume.Namespace).
		List(ctx, metav1.ListOptions{LabelSelector: "longhornvolume=" + name})
	if err != nil {
		s.miss("nodes of the replicas", err, "list", "replicas.longhorn.io -A")
	} else {
		s.place(replicas.Items, at, volume.Spec.NumberOfReplicas)
	}
	if f.Health != "healthy" {
		s.note("longhorn-health", "Longhorn reports the volume as %s%s", orUnknown(f.Health), whyNot(volume))
	}
}

// theVolume finds a volume in whichever namespace Longhorn uses.
func theVolume(ctx context.Context, client *api.Client, name string) (*longhornVolume, error) {
	all, err := api.At[longhornVolume](client, longhornGroup.WithResource("volumes")).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return nil, err
	}
	for i := range all.Items {
		if all.Items[i].Name == name {
			return &all.Items[i], nil
		}
	}
	return nil, fmt.Errorf("no volume %s in Longhorn", name)
}

// place counts the copies that take writes: those that are running, including
// any being rebuilt.
func (s *Stack) place(replicas []longhornReplica, at string, asked int) {
	f := s.Facts
	f.Copies, f.Remote = 0, 0
	var nodes, drives []string
	rebuilt := 0
	for _, r := range replicas {
		node := r.Spec.NodeID
		if r.Status.CurrentState != "running" || r.Spec.FailedAt != "" || node == "" {
			continue
		}
		f.Copies++
		if node != at {
			f.Remote++
		}
		if r.Spec.HealthyAt == "" {
			rebuilt++
		}
		nodes, drives = append(nodes, node), append(drives, r.Spec.DiskID)
	}
	slices.Sort(nodes)
	s.Copies = slices.Clone(nodes)
	slices.Sort(drives)
	f.Nodes, f.Drives = len(slices.Compact(nodes)), len(slices.Compact(drives))
	// Longhorn may report a volume as healthy although a copy was never placed:
	// https://github.com/longhorn/longhorn/issues/11916
	if f.Copies < asked {
		s.note("longhorn-copies", "%d of %d replicas accept writes", f.Copies, asked)
	}
	if rebuilt > 0 {
		s.note("longhorn-rebuild", "%d of %d replicas are being rebuilt, which uses network and drive bandwidth", rebuilt, f.Copies)
	}
	if at == "" {
		f.Remote = 0
		s.Missing = append(s.Missing, assay.MissingFact{Fact: "replicas on other nodes", Why: "the volume is not attached",
			Hint: "check while a pod uses it"})
	}
}

// whyNot returns the volume condition's message about copies that could not be
// placed.
func whyNot(volume *longhornVolume) string {
	for _, c := range volume.Status.Conditions {
		if c.Type == "Scheduled" && c.Status == "False" && c.Message != "" {
			return ": " + c.Message
		}
	}
	return ""
}

func (s *Stack) note(id, format string, args ...any) {
	s.Notes = append(s.Notes, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
}

// tagOf returns the version in an image name, "" if there is none.
func tagOf(image string) string {
	at := strings.LastIndexByte(image, ':')
	if at < strings.LastIndexByte(image, '/') || at < 0 {
		return ""
	}
	return image[at+1:]
}

func orUnknown(word string) string {
	if word == "" {
		return "in an unknown state"
	}
	return word
}
