package kube_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"assay"
	lab "assay/lab/kube"
	"assay/lab/kube/kubetest"
	place "assay/place/kube"
	"assay/place/placetest"
	"assay/stacks/kube"
)

// bed is the lab with a connection to it.
type bed struct {
	*lab.Lab
	ctx     context.Context
	cluster *kube.Cluster
}

func TestInAPod(t *testing.T) {
	l := kubetest.Up(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	c, err := kube.Connect(assay.KubernetesAccess{Kubeconfig: l.Kubeconfig()})
	if err != nil {
		t.Fatal(err)
	}
	b := bed{l, ctx, c}
	for _, part := range []struct {
		name string
		test func(*testing.T, bed)
	}{
		{"conformance", conformance}, {"refusals", refusals}, {"restricted", restricted}, {"claims", claims}, {"claims of the pod's own", ephemeral}, {"names", names}, {"a leftover volume", leftover}, {"one namespace", oneNamespace}, {"cancelled", cancelled}, {"default image", defaultImage},
		{"rights", rights}, {"tails", tails}, {"streams", streams}, {"server", server}, {"deadline", deadline}, {"drain", drain}, {"kubelet", kubelet},
	} {
		t.Run(part.name, func(t *testing.T) {
			part.test(t, b)
			if t.Failed() {
				t.Log(l.Kubectl(ctx, "get", "jobs,pods,pvc,pv,nodes", "-A", "-o", "wide"))
			}
		})
	}
}

// options returns those of a pod on node1 that needs no network.
func options(host string) place.Options {
	return place.Options{
		Host: assay.Host{Name: host}, Namespace: "default", Run: "run1", Tier: "sd", Image: lab.Image,
		PullPolicy: corev1.PullNever, Node: "node1", Deadline: 10 * time.Minute, Patience: 3 * time.Second,
	}
}

func (b bed) place(o place.Options) *place.Place {
	p := place.New(b.cluster, o)
	p.Hurry()
	return p
}

// open returns a pod that is deleted when t ends.
func (b bed) open(t *testing.T, o place.Options) *place.Place {
	t.Helper()
	o.Patience = max(o.Patience, time.Minute) // nothing is wrong, but the machine may be busy
	p := b.place(o)
	if err := p.Open(b.ctx, func(words string) { t.Log(words) }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// shared is one pod for the whole suite; it creates a test's temporary
// directory when a command names it.
type shared struct{ *place.Place }

func (s shared) Close() error { return nil }

func (s shared) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	for _, word := range c.Argv {
		if strings.HasPrefix(word, os.TempDir()+"/Test") && strings.Count(word, "/") == 3 {
			if _, err := s.Place.Run(ctx, assay.Cmd{Argv: []string{"mkdir", "-p", word}}); err != nil {
				return assay.Output{}, err
			}
		}
	}
	return s.Place.Run(ctx, c)
}

func conformance(t *testing.T, b bed) {
	p := b.open(t, options("pod-1@node1"))
	if p.Node() != "node1" || p.Address() == "" {
		t.Errorf("on %q, %q", p.Node(), p.Address())
	}
	// Kubernetes passed the first process its script unchanged.
	out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"cat", "/proc/1/cmdline"}})
	if words := strings.Split(string(out.Stdout), "\x00"); err != nil || len(words) < 3 || words[2] != place.Waiter {
		t.Errorf("it was begun with %q, %v", words, err)
	}
	placetest.Test(t, func(*testing.T) assay.Place { return shared{p} })
}

func claim(name, class, size string) kube.Attachment {
	return kube.Attachment{
		Claim: &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PersistentVolumeClaimSpec{
			StorageClassName: &class, AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(size)}},
		}},
		Volume: &corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}},
		Mount:    &corev1.VolumeMount{Name: name, MountPath: "/data"},
		Security: kube.Restricted, Path: "/data",
	}
}

func hostPath(dir, at string) kube.Attachment {
	kind := corev1.HostPathUnset
	return kube.Attachment{
		Volume:   &corev1.Volume{Name: "host", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: dir, Type: &kind}}},
		Mount:    &corev1.VolumeMount{Name: "host", MountPath: at},
		Security: kube.Privileged, Path: at, Persists: true,
	}
}
