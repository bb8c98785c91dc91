package pods

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"assay/incident"
	"assay/incident/blame"
	"assay/stacks/kube/api/apitest"
)

func meta(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

var ended = metav1.NewTime(time.Now().Add(-time.Minute).Truncate(time.Second))

// looping returns a pod on node1 that crash-loops over a claim, besides its
// configuration.
func looping(name, reason string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: meta("shop", name),
		Spec: corev1.PodSpec{
			NodeName: "node1",
			Volumes: []corev1.Volume{
				{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + name}}},
				{Name: "settings", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{}}},
			},
			Containers: []corev1.Container{{Name: "server", VolumeMounts: []corev1.VolumeMount{{Name: "data", MountPath: "/data"}, {Name: "settings", MountPath: "/etc/server"}}}},
		},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name: "server", RestartCount: 7,
			State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: crashLoop}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: reason, FinishedAt: ended}},
		}}},
	}
}

// claimed returns a claim and its volume.
func claimed(name string, source corev1.PersistentVolumeSource) []runtime.Object {
	return []runtime.Object{
		&corev1.PersistentVolumeClaim{ObjectMeta: meta("shop", name), Spec: corev1.PersistentVolumeClaimSpec{VolumeName: "pv-" + name}},
		&corev1.PersistentVolume{ObjectMeta: meta("", "pv-"+name), Spec: corev1.PersistentVolumeSpec{PersistentVolumeSource: source}},
	}
}

var local = corev1.PersistentVolumeSource{Local: &corev1.LocalVolumeSource{Path: "/mnt/a"}}

// printing answers requests for the log of every container and for the summary
// of node1.
func printing(text, stats string) apitest.Handler {
	return func(w http.ResponseWriter, r apitest.Request) bool {
		switch {
		case r.Subresource == "log":
			fmt.Fprint(w, text)
		case r.Subresource == "proxy" && stats != "":
			fmt.Fprint(w, stats)
		default:
			return false
		}
		return true
	}
}

func asked(t *testing.T, s *apitest.Server) Answer {
	t.Helper()
	a, err := ask(t.Context(), s.Client, func(_ string, err error) error { return err }, Options{Since: time.Now().Add(-time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// absent lists the missing records, one per line.
func absent(a Answer) string {
	var all []string
	for _, r := range a.Records {
		if r.Absent != "" {
			all = append(all, r.Name+": "+r.Absent)
		}
	}
	return strings.Join(all, "\n")
}

func TestAPodOverAFullVolume(t *testing.T) {
	s := apitest.Serve(t, append(claimed("data-db-0", local), looping("db-0", "Error"))...)
	s.Handle(printing("starting\nwrite /data/wal: no space left on device\n", `{"pods":[{"podRef":{"name":"db-0","namespace":"shop"},"volume":[{"name":"data","availableBytes":4096,"capacityBytes":1073741824,"pvcRef":{"name":"data-db-0","namespace":"shop"}}]}]}`))
	a := asked(t, s)
	if len(a.Pods) != 1 || absent(a) != "" {
		t.Fatalf("%+v, absent: %s", a.Pods, absent(a))
	}
	p := a.Pods[0]
	if p.Name != "shop/db-0" || p.Node != "node1" || p.State != crashLoop || p.Restarts != 7 || p.Exit != "status 1 (Error)" || !p.Ended.Equal(ended.Time) || p.Said[len(p.Said)-1] != "write /data/wal: no space left on device" {
		t.Errorf("%+v", p)
	}
	if len(p.Volumes) != 1 || p.Volumes[0].String() != "/data: claim shop/data-db-0 (local /mnt/a)" || p.Volumes[0].Free != 4096 {
		t.Errorf("%+v", p.Volumes)
	}
	for _, e := range a.Log.Events {
		if e.Host != "node1" || !e.First.Wall.Equal(ended.Time) || !strings.Contains(e.Text, "shop/db-0") {
			t.Errorf("%+v", e)
		}
	}
	v := blame.Judge(a.Log)
	if v.Cause == nil || v.Cause.Layer != incident.FileSystem || v.Cause.Host != "node1" || v.Cause.How != blame.VeryLikely {
		t.Errorf("%+v", v)
	}
}

// If only the pod complains, the kind of its volume tells which layers may be to
// blame.
func TestAPodWhoseVolumeFails(t *testing.T) {
	csi := func(driver string) corev1.PersistentVolumeSource {
		return corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: driver}}
	}
	for name, c := range map[string]struct {
		source corev1.PersistentVolumeSource
		says   string
		want   []incident.Layer
	}{
		"a disk of the node":         {local, "cat: /data/a: Input/output error", []incident.Layer{incident.Drive, incident.FileSystem}},
		"one that went read-only":    {local, "touch: cannot touch '/data/x': Read-only file system", []incident.Layer{incident.FileSystem, incident.Drive}},
		"a replicated volume":        {csi("driver.longhorn.io"), "open /data/a: input/output error", []incident.Layer{incident.Engine, incident.FileSystem}},
		"a network file system":      {corev1.PersistentVolumeSource{NFS: &corev1.NFSVolumeSource{Server: "nas", Path: "/a"}}, "open /data/a: input/output error", []incident.Layer{incident.Session, incident.FileSystem}},
		"a program that is at fault": {local, "panic: nil pointer", nil},
	} {
		s := apitest.Serve(t, append(claimed("data-db-0", c.source), looping("db-0", "Error"))...)
		s.Handle(printing(c.says+"\n", "{}"))
		v := blame.Judge(asked(t, s).Log)
		var layers []incident.Layer
		for _, b := range v.Between {
			layers = append(layers, b.Layer)
			if b.Device != "shop/db-0" || !strings.Contains(b.Why, "/data: claim shop/data-db-0") {
				t.Errorf("%s: %+v", name, b)
			}
		}
		if v.Cause != nil || fmt.Sprint(layers) != fmt.Sprint(c.want) {
			t.Errorf("%s: cause %+v, between %v", name, v.Cause, layers)
		}
	}
}

func TestAPodThatReachedItsLimit(t *testing.T) {
	s := apitest.Serve(t, append(claimed("data-db-0", local), looping("db-0", "OOMKilled"))...)
	s.Handle(printing("starting\n", "{}"))
	if v := blame.Judge(asked(t, s).Log); v.Cause == nil || v.Cause.Layer != incident.OutOfMemory {
		t.Errorf("%+v", v)
	}
}

// Unhealthy nodes and warnings are reported with their node, by its name in the
// cluster.yaml; old warnings are not.
func TestNodesAndWarnings(t *testing.T) {
	warning := func(name, reason, message string, ago time.Duration) *corev1.Event {
		return &corev1.Event{ObjectMeta: meta("shop", name), Type: corev1.EventTypeWarning, Reason: reason, Message: message,
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web"}, Source: corev1.EventSource{Host: "node1"}, LastTimestamp: metav1.NewTime(time.Now().Add(-ago))}
	}
	s := apitest.Serve(t,
		&corev1.Node{ObjectMeta: meta("", "node1"), Status: corev1.NodeStatus{Addresses: []corev1.NodeAddress{{Address: "10.0.0.1"}}, Conditions: []corev1.NodeCondition{
			{Type: corev1.NodeReady, Status: corev1.ConditionTrue}, {Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue, Message: "kubelet has disk pressure"}}}},
		warning("a", "FailedMount", "MountVolume.SetUp failed for volume \"v\"", time.Minute), warning("b", "BackOff", "Back-off restarting failed container", 48*time.Hour))
	a, err := ask(t.Context(), s.Client, nil, Options{Since: time.Now().Add(-time.Hour), HostOf: func(node string, addresses []string) string {
		if node == "node1" && addresses[0] == "10.0.0.1" {
			return "pve1"
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[incident.Kind]string{}
	for _, e := range a.Log.Events {
		got[e.Kind] = e.Host
	}
	if len(got) != 2 || got[incident.DiskPressure] != "pve1" || got[incident.MountFailed] != "pve1" {
		t.Errorf("%v", got)
	}
}

// What the user may not see is reported once, with the missing right, and the rest is
// shown.
func TestWhatMayNotBeSeen(t *testing.T) {
	s := apitest.Serve(t, append(claimed("data-db-0", local), looping("db-0", "Error"), looping("db-1", "Error"))...)
	s.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
		if r.Resource == "pods" && r.Subresource == "" {
			return false
		}
		apitest.Refuse(w, apierrors.NewForbidden(schema.GroupResource{Resource: r.Resource}, r.Name, fmt.Errorf("no role")))
		return true
	})
	a := asked(t, s)
	if len(a.Pods) != 2 || a.Pods[0].Restarts != 7 {
		t.Fatalf("%+v", a.Pods)
	}
	for _, want := range []string{"list on nodes", "get on persistentvolumeclaims", "get on pods/log", "get on nodes/stats or nodes/proxy", "list on events"} {
		if strings.Count(absent(a), want) != 1 {
			t.Errorf("%q is not told once:\n%s", want, absent(a))
		}
	}
}

func TestOnlyWhatFailsIsTold(t *testing.T) {
	well := looping("well", "")
	well.Status.ContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	well.Status.ContainerStatuses[0].LastTerminationState.Terminated.FinishedAt = metav1.NewTime(time.Now().Add(-48 * time.Hour))
	done := looping("done", "Completed")
	done.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 0, FinishedAt: ended}}
	done.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{}
	again := looping("again", "Error")
	again.Status.ContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	found := failing([]corev1.Pod{*well, *again, *done, *looping("loops", "Error")}, time.Now().Add(-time.Hour))
	if len(found) != 2 || found[0].Name != "shop/loops" || found[1].Name != "shop/again" || found[1].State != "restarted" {
		t.Errorf("%+v", found)
	}
}
