package main

import (
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// In the pod, ssh finds the key and the host keys of the Secret, and accepts the key,
// whatever user and home the image has. ssh itself reads the configuration.
func TestWatchInstallsAKeyThatSSHFinds(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("no ssh here")
	}
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte("hosts:\n  pve1:\n    address: 10.0.0.1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, listen := range []string{"", ":9798"} {
		got := assayed(context.Background(), "x", "watch", "-i", file, "--listen", listen, "--install", "kubernetes", "--image", "registry.lan/assay:1")
		parts := strings.Split(got.stdout, "\n---\n")
		if got.status != exitFine || len(parts) < 3 {
			t.Fatalf("status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
		var config corev1.ConfigMap
		decode(t, parts[0], &config)
		pod := podOf(t, parts[2])
		container := pod.Containers[0]
		if c := container.SecurityContext; c == nil || c.RunAsUser == nil || *c.RunAsUser != 0 {
			t.Errorf("runs as whatever user the image has: only root may read the key")
		}

		// OpenSSH's own place for it, whoever runs it; /etc/ssh/ssh_config.d is read only if that says so.
		const global = "/etc/ssh/ssh_config"
		volume, key := volumeOf(pod, global)
		if volume.ConfigMap == nil || volume.ConfigMap.Name != config.Name || config.Data[key] == "" {
			t.Fatalf("%s is not of the ConfigMap: %+v, %q", global, volume, key)
		}
		settings := filepath.Join(t.TempDir(), "ssh_config")
		if err := os.WriteFile(settings, []byte(config.Data[key]), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("ssh", "-F", settings, "-G", "10.0.0.1").Output()
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for line := range strings.Lines(string(out)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			if name != "identityfile" && name != "userknownhostsfile" {
				continue
			}
			found++
			volume, key := volumeOf(pod, value)
			if volume.Secret == nil || !strings.Contains(got.stdout, "kubectl create secret generic "+volume.Secret.SecretName+" ") ||
				!strings.Contains(got.stdout, " --from-file="+key) {
				t.Errorf("%s %s is not of the Secret: %+v, %q", name, value, volume, key)
			} else if mode := volume.Secret.DefaultMode; mode == nil || *mode&0o077 != 0 {
				t.Errorf("%s %s: others may read it", name, value)
			}
		}
		if found != 2 {
			t.Errorf("%d files, want a key and the host keys:\n%s", found, out)
		}
	}
}

// The pod has none of this machine's files.
func TestWatchInstallsNoSSHConfigOfThisMachine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte("hosts:\n  pve1:\n    address: 10.0.0.1\n  pve2:\n    address: 10.0.0.2\n    ssh: {config: lab.ssh}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	words := []string{"watch", "-i", file, "--every", "2h", "--image", "registry.lan/assay:1", "--install"}
	got := assayed(context.Background(), "x", append(words, "kubernetes")...)
	if want := "host pve2: ssh.config: the pod has no file lab.ssh\nhint: write "; got.status != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, want) {
		t.Errorf("status %d\n%s%s", got.status, got.stdout, got.stderr)
	}
	for _, more := range [][]string{{"kubernetes", "--host", "pve1"}, {"systemd"}} {
		if got := assayed(context.Background(), "x", append(slices.Clone(words), more...)...); got.status != exitFine {
			t.Errorf("%q: status %d\n%s", more, got.status, got.stderr)
		}
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// podOf returns the pod of a CronJob or a Deployment.
func podOf(t *testing.T, workload string) corev1.PodSpec {
	t.Helper()
	if strings.Contains(workload, "\nkind: CronJob\n") {
		var job batchv1.CronJob
		decode(t, workload, &job)
		return job.Spec.JobTemplate.Spec.Template.Spec
	}
	var d appsv1.Deployment
	decode(t, workload, &d)
	return d.Spec.Template.Spec
}

// volumeOf returns the volume that has a file of the first container, and the
// file's key in it.
func volumeOf(pod corev1.PodSpec, file string) (corev1.Volume, string) {
	for _, m := range pod.Containers[0].VolumeMounts {
		key := m.SubPath
		if m.MountPath != file {
			if m.SubPath != "" || m.MountPath != path.Dir(file) {
				continue
			}
			key = path.Base(file)
		}
		for _, v := range pod.Volumes {
			if v.Name == m.Name {
				return v, key
			}
		}
	}
	return corev1.Volume{}, ""
}
