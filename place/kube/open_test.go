package kube

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay"
	"assay/stacks/kube"
	"assay/stacks/kube/api/apitest"
)

// connected returns the cluster of a server.
func connected(t *testing.T, s *apitest.Server) *kube.Cluster {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(`
apiVersion: v1
kind: Config
current-context: home
contexts: [{name: home, context: {cluster: home, user: me}}]
clusters: [{name: home, cluster: {server: `+s.URL+`}}]
users: [{name: me, user: {token: x}}]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := kube.Connect(assay.KubernetesAccess{Kubeconfig: file})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A pod that runs on a ready node, but whose kubelet refuses to serve its log or a
// command, is awaited for as long as any problem that may heal, and no longer.
func TestAKubeletOutOfReach(t *testing.T) {
	const unsigned = `Get "https://10.0.0.1:10250/containerLogs/ns/pod/assay": remote error: tls: internal error`
	const dropped = "error dialing backend: dial tcp 10.0.0.1:10250: i/o timeout"
	for name, c := range map[string]struct {
		refuses  string // the subresource
		says     string
		patience time.Duration
		begin    time.Duration
	}{
		"logs":            {"log", unsigned, time.Millisecond, time.Hour},
		"commands":        {"exec", dropped, time.Millisecond, time.Hour},
		"in total":        {"log", dropped, time.Hour, time.Millisecond},
		"commands, total": {"exec", dropped, time.Hour, time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			labels := map[string]string{batchv1.JobNameLabel: "job"}
			s := apitest.Serve(t,
				&batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "job"}},
				&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node1"}, Status: corev1.NodeStatus{
					Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}},
				&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "pod", Labels: labels}, Spec: corev1.PodSpec{NodeName: "node1"},
					Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{
						{Name: kube.ContainerName, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}}})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			looks := 0
			s.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
				if r.Subresource == "log" {
					if looks++; looks == 8 {
						cancel()
					}
				}
				switch r.Subresource {
				case c.refuses:
					apitest.Refuse(w, apierrors.NewInternalError(errors.New(c.says)))
				case "log":
					_, _ = w.Write([]byte("assay: ready\n"))
				default:
					return false
				}
				return true
			})
			p := New(connected(t, s), Options{Host: assay.Host{Name: "a"}, Namespace: "ns", Patience: c.patience})
			p.name = "job"
			p.times.dial, p.times.begin = 0, c.begin
			err := p.await(ctx, "job", func(string) {})
			if kube.ReasonOf(err) != kube.Node || !strings.Contains(err.Error(), c.says) || assay.Hint(err) == "" {
				t.Errorf("after %d looks: %v", looks, err)
			}
		})
	}
}

func TestOpenNamesTheHostOnce(t *testing.T) {
	for refuses, says := range map[string]string{"log": "no log today", "exec": "error dialing backend: dial tcp 10.0.0.1:10250: i/o timeout"} {
		s := apitest.Serve(t, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node1"}, Status: corev1.NodeStatus{
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}})
		s.Handle(func(w http.ResponseWriter, r apitest.Request) bool {
			switch {
			case r.Verb == "create" && r.Resource == "jobs":
				var job batchv1.Job
				if err := json.Unmarshal([]byte(r.Body), &job); err != nil {
					t.Error(err)
				}
				s.Put(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "pod", Labels: map[string]string{batchv1.JobNameLabel: job.Name}},
					Spec: corev1.PodSpec{NodeName: "node1"}, Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{
						{Name: kube.ContainerName, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}}})
				return false
			case r.Subresource == refuses:
				apitest.Refuse(w, apierrors.NewInternalError(errors.New(says)))
			case r.Subresource == "log":
				_, _ = w.Write([]byte("assay: ready\n"))
			default:
				return false
			}
			return true
		})
		p := New(connected(t, s), Options{Host: assay.Host{Name: "a"}, Namespace: "ns", Patience: time.Millisecond, Keep: true})
		p.times.dial = 0
		err := p.Open(t.Context(), nil)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "host a: ") || strings.Count(err.Error(), "host a: ") != 1 {
			t.Errorf("%s: %v", refuses, err)
		}
	}
}
