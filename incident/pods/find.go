package pods

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay/internal/order"
)

// failing returns the failing pods of a list, worst first: those in a crash loop, then by
// restarts. A container that exited badly before since and is running does not count as
// failing.
func failing(all []corev1.Pod, since time.Time) []Pod {
	var found []Pod
	for _, p := range all {
		if f, is := failed(p, since); is {
			found = append(found, f)
		}
	}
	order.Stable(found, func(a, b Pod) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Restarts, a.Restarts), cmp.Compare(a.Name, b.Name))
	})
	return found
}

func rank(p Pod) int {
	if p.State == crashLoop {
		return 0
	}
	return 1
}

// crashLoop is the kubelet's reason for a container that waits to be restarted.
const crashLoop = "CrashLoopBackOff"

// troubles are container waiting reasons that are, or may be, caused by storage.
var troubles = []string{crashLoop, "CreateContainerError", "RunContainerError", "ContainerCreating"}

// failed returns a pod described by its worst container.
func failed(p corev1.Pod, since time.Time) (worst Pod, is bool) {
	for _, s := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		f := Pod{Name: p.Namespace + "/" + p.Name, Node: p.Spec.NodeName, Container: s.Name, Restarts: int(s.RestartCount)}
		ended := s.LastTerminationState.Terminated
		switch w, t := s.State.Waiting, s.State.Terminated; {
		case w != nil && slices.Contains(troubles, w.Reason):
			f.State = w.Reason
			if w.Reason == "ContainerCreating" && (p.Status.StartTime == nil || time.Since(p.Status.StartTime.Time) < time.Minute) {
				continue // it has only just started
			}
		case t != nil && t.ExitCode != 0 && t.FinishedAt.After(since):
			f.State, ended = cmp.Or(t.Reason, "Error"), t
		case ended != nil && ended.ExitCode != 0 && ended.FinishedAt.After(since):
			f.State = "restarted"
		default:
			continue
		}
		if ended != nil {
			f.Exit, f.Ended = fmt.Sprintf("status %d", ended.ExitCode), ended.FinishedAt.Time
			if ended.Reason != "" {
				f.Exit += " (" + ended.Reason + ")"
			}
		}
		if !is || cmp.Or(cmp.Compare(rank(f), rank(worst)), cmp.Compare(worst.Restarts, f.Restarts)) < 0 {
			worst, is = f, true
		}
	}
	return worst, is
}

// volumesOf returns a container's volumes, except those that are not storage:
// configuration, secrets, tokens. The kind of a claim is looked up later.
func volumesOf(p corev1.Pod, container string) []Volume {
	at := map[string]string{}
	for _, c := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers) {
		if c.Name != container {
			continue
		}
		for _, m := range c.VolumeMounts {
			at[m.Name] = m.MountPath
		}
		for _, d := range c.VolumeDevices {
			at[d.Name] = d.DevicePath
		}
	}
	var all []Volume
	for _, s := range p.Spec.Volumes {
		path, mounted := at[s.Name]
		v := Volume{At: path}
		switch {
		case !mounted:
			continue
		case s.PersistentVolumeClaim != nil:
			v.Claim = p.Namespace + "/" + s.PersistentVolumeClaim.ClaimName
		case s.Ephemeral != nil:
			v.Claim = p.Namespace + "/" + p.Name + "-" + s.Name
		case s.HostPath != nil:
			v.Kind = "directory " + s.HostPath.Path + " of the node"
		case s.EmptyDir != nil:
			v.Kind = "scratch of the node"
			if s.EmptyDir.Medium == corev1.StorageMediumMemory {
				v.Kind = "scratch in memory"
			}
		case s.NFS != nil:
			v.Kind = "NFS " + s.NFS.Server + ":" + s.NFS.Path
		case s.ISCSI != nil:
			v.Kind = "iSCSI " + s.ISCSI.TargetPortal
		case s.CSI != nil:
			v.Kind = "CSI " + s.CSI.Driver
		default:
			continue
		}
		all = append(all, v)
	}
	return all
}

// kindOf describes the kind of a persistent volume.
func kindOf(s corev1.PersistentVolumeSource) string {
	switch {
	case s.CSI != nil:
		return "CSI " + s.CSI.Driver
	case s.Local != nil:
		return "local " + s.Local.Path
	case s.HostPath != nil:
		return "directory " + s.HostPath.Path + " of the node"
	case s.NFS != nil:
		return "NFS " + s.NFS.Server + ":" + s.NFS.Path
	case s.ISCSI != nil:
		return "iSCSI " + s.ISCSI.TargetPortal
	case s.FC != nil:
		return "Fibre Channel"
	case s.RBD != nil:
		return "Ceph RBD"
	case s.CephFS != nil:
		return "CephFS"
	}
	return "a volume of another kind"
}
