package hostpath

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"assay"
	"assay/stacks/kube"
)

func TestAttach(t *testing.T) {
	for _, bad := range []string{
		"", "srv/bench", "/", "/srv/", "/srv/../etc", "/srv//bench", "/etc", "/etc/kubernetes", "/proc", "/proc/1/root", "/sys", "/dev", "/dev/shm",
		"/boot", "/boot/firmware", "/usr/local", "/run/user", "/var", "/var/lib", "/var/lib/kubelet", "/var/lib/kubelet/pods/x", "/var/lib/etcd",
		"/var/lib/containerd/x", "/var/lib/longhorn", "/var/lib/longhorn/replicas/x", "/var/lib/rancher/k3s/server/db", "/root", "/home", "/tmp",
	} {
		if a, err := Attach(Options{Path: bad}, "sd"); err == nil || assay.Hint(err) == "" {
			t.Errorf("%q gave %+v, %v", bad, a, err)
		}
	}
	for _, good := range []string{"/srv/bench", "/mnt", "/mnt/usb", "/home/joe/bench", "/etcetera", "/var/lib/bench", "/data", "/devices/a"} {
		a, err := Attach(Options{Path: good}, "sd")
		if err != nil {
			t.Errorf("%s: %v", good, err)
			continue
		}
		if a.Volume.HostPath.Path != good || *a.Volume.HostPath.Type != corev1.HostPathDirectory || a.Mount.MountPath != a.Path ||
			a.Security != kube.Privileged || a.Privileged || !a.Persists {
			t.Errorf("%s gave %+v", good, a)
		}
	}
	if _, err := Attach(Options{Path: "/srv/bench"}, "SD card"); err == nil {
		t.Error("a name that Kubernetes refuses was taken")
	}
}

// gone is the place of a pod that no longer exists.
type gone struct{ assay.Place }

func (gone) Host() assay.Host { return assay.Host{Name: "sd"} }
func (gone) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, kube.ErrRemoved
}

// TestRelease: without its pod, nobody has checked that the directory is gone.
func TestRelease(t *testing.T) {
	v := New()
	r, err := v.Reserve(context.Background(), nil, assay.Subject{ID: "sd/directory/x", Host: "sd", Name: "/mnt/sd"}, assay.Request{ID: "0123456789abcdef", Bytes: 64 << 20})
	if err != nil || r.Volume != Kind {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := v.Release(context.Background(), gone{}, r); !errors.Is(err, kube.ErrRemoved) || assay.Hint(err) == "" {
		t.Errorf("got %v", err)
	}
}
