package pods

import (
	"fmt"
	"strings"
	"time"

	"assay/incident"
	"assay/internal/prose"
)

// Answer is the result of querying a cluster.
type Answer struct {
	Cluster string // the kubeconfig's context
	Pods    []Pod  // failing ones, worst first
	Log     incident.Log
	Records []Record
}

// Record is one kind of data that the cluster was queried for.
type Record struct {
	Name  string
	Lines int
	// Absent is the reason why some or all are missing: "not supported: …",
	// "failed: …".
	Absent string
}

// Pod is a failing pod, described by its worst container.
type Pod struct {
	Name      string    `json:"name"` // namespace/name
	Node      string    `json:"node,omitempty"`
	Container string    `json:"container"`
	State     string    `json:"state"` // CrashLoopBackOff, Error, …
	Restarts  int       `json:"restarts"`
	Exit      string    `json:"exit,omitempty"` // "status 1 (Error)"
	Ended     time.Time `json:"ended,omitzero"`
	Volumes   []Volume  `json:"volumes,omitempty"`
	Said      []string  `json:"said,omitempty"` // the last lines of the container that ended
}

// Volume is storage that a pod mounts.
type Volume struct {
	At    string   `json:"at,omitempty"`    // where its container has it
	Claim string   `json:"claim,omitempty"` // namespace/name
	Name  string   `json:"name,omitempty"`  // of the persistent volume
	Kind  string   `json:"kind"`            // "local /mnt/a", "CSI driver.longhorn.io", "NFS server:/path"
	Nodes []string `json:"nodes,omitempty"` // the only ones that it can be used on
	// Free and Size are in bytes, as last measured by the kubelet; Size is 0 if it was not.
	Free int64 `json:"free,omitempty"`
	Size int64 `json:"size,omitempty"`
}

// String returns a volume as one line: "/data: claim default/db (local
// /mnt/a)".
func (v Volume) String() string {
	what := v.Kind
	if v.Claim != "" {
		what = "claim " + v.Claim
		if v.Kind != "" {
			what += " (" + v.Kind + ")"
		}
	}
	if v.At != "" {
		what = v.At + ": " + what
	}
	return what
}

// nearlyFull is the free fraction below which a failing volume counts as full: a write
// that finds no room leaves less than it needed.
const nearlyFull = 0.01

// full reports whether next to nothing is free.
func (v Volume) full() bool { return v.Size > 0 && float64(v.Free) < nearlyFull*float64(v.Size) }

// lines returns a pod's input for the log readers: its state, its output, and its full
// volumes.
func (p Pod) lines() []string {
	state := fmt.Sprintf("pod %s: %s, %s", p.Name, p.State, prose.Plural(p.Restarts, "restart"))
	if p.Exit != "" {
		state += ", last exit with " + p.Exit
	}
	for _, v := range p.Volumes {
		state += "; " + v.String()
	}
	all := []string{state}
	for _, line := range p.Said {
		all = append(all, "pod "+p.Name+" printed: "+line)
	}
	for _, v := range p.Volumes {
		if v.full() {
			all = append(all, fmt.Sprintf("pod %s, %s: file system full: %d of %d KiB left", p.Name, v, v.Free>>10, v.Size>>10))
		}
	}
	when := ""
	if !p.Ended.IsZero() {
		when = stamp(p.Ended) + "kubernetes kubelet: " // host and program, as in a journal
	}
	for i, line := range all {
		all[i] = when + strings.Join(strings.Fields(line), " ")
	}
	return all
}
