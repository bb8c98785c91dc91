package kube_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	lab "assay/lab/kube"
	place "assay/place/kube"
	"assay/stacks/kube"
)

// nothing checks that no object of the run and no volume of any claim is left.
func (b bed) nothing(t *testing.T) {
	t.Helper()
	left, err := b.Kubectl(b.ctx, "get", "jobs,pods,pvc", "-A", "-l", kube.OfRun("run1"), "-o", "name")
	if err != nil || strings.TrimSpace(left) != "" {
		t.Errorf("left: %s, %v", left, err)
	}
	if err := b.noVolume(); err != nil {
		t.Error(err)
	}
}

// own is a generic ephemeral volume: Kubernetes makes its claim.
func own(name, class, size string) kube.Attachment {
	c := claim(name, class, size)
	c.Volume.VolumeSource = corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
		VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: c.Claim.Spec}}}
	c.Claim, c.Path = nil, "/"+name
	c.Mount.MountPath = c.Path
	return c
}

// ephemeral checks a claim that goes with its pod, of a class that retains the
// volume.
func ephemeral(t *testing.T, b bed) {
	o := options("own")
	o.Attachments = []kube.Attachment{own("scratch", lab.ClassRetain, "64Mi")}
	p := b.open(t, o)
	labelled, err := b.Kubectl(b.ctx, "get", "pvc", "-l", kube.OfRun("run1")+","+kube.LabelJob+"="+p.Job(), "-o", "name")
	if err != nil || strings.Count(labelled, "\n") != 1 {
		t.Errorf("labelled are %q, %v", labelled, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	b.nothing(t)
}

// names checks claim names that the user or another tier also has: both tiers and
// the user have a claim called mine.
func names(t *testing.T, b bed) {
	const users = `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: mine, namespace: default},
spec: {storageClassName: lab, accessModes: [ReadWriteOnce], resources: {requests: {storage: 16Mi}}}}`
	if err := b.Apply(b.ctx, users); err != nil {
		t.Fatal(err)
	}
	var pods []*place.Place
	for _, host := range []string{"nas.1", "nas-1"} {
		o := options(host)
		o.Attachments = []kube.Attachment{claim("mine", lab.ClassDelete, "64Mi")}
		pods = append(pods, b.open(t, o))
	}
	if one, two := pods[0].Claim("mine"), pods[1].Claim("mine"); one == two || one == "mine" || one == "" {
		t.Errorf("the claims are %q and %q", one, two)
	}
	if err := pods[0].Close(); err != nil {
		t.Error(err)
	}
	if out, err := pods[1].Run(b.ctx, assay.Cmd{Argv: []string{"touch", "/data/x"}}); err != nil || out.Exit != 0 {
		t.Errorf("in the other: %v %s", err, out.Stderr)
	}
	if err := pods[1].Close(); err != nil {
		t.Error(err)
	}
	if _, err := b.Kubectl(b.ctx, "delete", "pvc", "mine"); err != nil {
		t.Errorf("the user's: %v", err)
	}
	b.nothing(t)
}

// leave creates a volume with data on it that no claim holds any more, and returns
// its name.
func (b bed) leave(t *testing.T) string {
	t.Helper()
	o := options("users")
	o.Run, o.Keep, o.Attachments = "theirs", true, []kube.Attachment{claim("data", lab.ClassRetain, "64Mi")}
	p := b.open(t, o)
	if out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"sh", "-c", "echo precious >/data/precious && sync"}}); err != nil || out.Exit != 0 {
		t.Fatalf("%v %s", err, out.Stderr)
	}
	name, err := b.Kubectl(b.ctx, "get", "pvc", p.Claim("data"), "-o", "jsonpath={.spec.volumeName}")
	if err != nil {
		t.Fatal(err)
	}
	b.kubectl(t, "delete job --wait --cascade=foreground "+p.Job(), "delete pvc --wait "+p.Claim("data"),
		"wait pv/"+name+" --timeout=60s --for=jsonpath={.status.phase}=Released")
	return name
}

// unclaim offers a volume to the next claim, as a user does, with a policy to
// retain or delete it.
func (b bed) unclaim(t *testing.T, name, policy string) {
	t.Helper()
	b.kubectl(t, "patch pv "+name+` --type=merge -p {"spec":{"claimRef":null}}`,
		"wait pv/"+name+" --timeout=60s --for=jsonpath={.status.phase}=Available",
		"patch pv "+name+` --type=merge -p {"spec":{"persistentVolumeReclaimPolicy":"`+policy+`"}}`)
}

func (b bed) kubectl(t *testing.T, commands ...string) {
	t.Helper()
	for _, words := range commands {
		if _, err := b.Kubectl(b.ctx, strings.Fields(words)...); err != nil {
			t.Fatal(err)
		}
	}
}

// precious checks that a volume is available, has that policy, and still has its
// data.
func (b bed) precious(t *testing.T, name, policy string) {
	t.Helper()
	state, err := b.Kubectl(b.ctx, "get", "pv", name, "-o", "jsonpath={.status.phase} {.spec.persistentVolumeReclaimPolicy} {.metadata.annotations}")
	if err != nil || !strings.HasPrefix(state, "Available "+policy+" ") || strings.Contains(state, "assay/reclaim") {
		t.Errorf("volume %s is %s, %v", name, state, err)
	}
	if out, err := b.Run(b.ctx, "node1", "cat", "/mnt/lab/"+name+"/precious"); err != nil || out != "precious\n" {
		t.Errorf("on it is %q, %v", out, err)
	}
}

// leftover checks an existing volume that fits a claim, which Kubernetes prefers to
// provisioning a new one. It is refused before anything is created, or, if it
// becomes available only then, once it is noticed. Its data survives both.
func leftover(t *testing.T, b bed) {
	o := options("leftover")
	o.Patience, o.Attachments = time.Minute, []kube.Attachment{claim("data", lab.ClassRetain, "32Mi")}
	const policy = "Delete" // the one that would delete the data
	name := b.leave(t)
	b.kubectl(t, "cordon node1")
	p, freed := b.place(o), false
	err := p.Open(b.ctx, func(words string) {
		if !freed && strings.Contains(words, "cannot be scheduled") {
			freed = true
			b.unclaim(t, name, policy)
			b.kubectl(t, "uncordon node1")
		}
	})
	if kube.ReasonOf(err) != kube.Claim || !strings.Contains(err.Error(), "was given the existing volume "+name) {
		t.Errorf("got %v", err)
	}
	b.precious(t, name, policy)

	err = b.place(o).Open(b.ctx, nil)
	if kube.ReasonOf(err) != kube.Claim || !strings.Contains(err.Error(), "would be given the existing volume "+name) || assay.Hint(err) == "" {
		t.Errorf("got %v (%s)", err, assay.Hint(err))
	}
	b.precious(t, name, policy)
	b.kubectl(t, "patch pv "+name+` --type=merge -p {"spec":{"persistentVolumeReclaimPolicy":"Delete","claimRef":{"namespace":"none","name":"none","uid":"none"}}}`)
	b.eventually(t, b.noVolume)
	b.nothing(t)
}

// noVolume returns an error if a volume of any claim is left.
func (b bed) noVolume() error {
	out, err := b.Kubectl(b.ctx, "get", "pv", "-o", "name")
	if err == nil && strings.Contains(out, "pvc-") {
		err = fmt.Errorf("left: %s", out)
	}
	return err
}

// oneNamespace uses a service account that has rights in one namespace and none
// elsewhere.
func oneNamespace(t *testing.T, b bed) {
	if err := b.Apply(b.ctx, "{apiVersion: v1, kind: Namespace, metadata: {name: mine}}"); err != nil {
		t.Fatal(err)
	}
	file, err := b.Account(b.ctx, "mine", "me")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Apply(b.ctx, kube.RoleYAML("system:serviceaccount:mine:me", kube.PodRights("mine"))); err != nil {
		t.Fatal(err)
	}
	if b.cluster, err = kube.Connect(assay.KubernetesAccess{Kubeconfig: file}); err != nil {
		t.Fatal(err)
	}
	o := options("mine")
	o.Namespace, o.Patience, o.Attachments = "mine", time.Minute, []kube.Attachment{claim("data", lab.ClassDelete, "64Mi"), own("scratch", lab.ClassDelete, "64Mi")}
	var p *place.Place
	b.eventually(t, func() error { // the authorizer learns of roles a moment later
		p = b.place(o)
		err := p.Open(b.ctx, nil)
		if kube.ReasonOf(err) != kube.Forbidden {
			return nil
		}
		return err
	})
	if out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"touch", "/data/x"}}); err != nil || out.Exit != 0 {
		t.Errorf("%v %s", err, out.Stderr)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	b.eventually(t, b.noVolume) // a user who may not see it cannot wait for it
	b.nothing(t)
	o.Attachments = []kube.Attachment{claim("data", lab.ClassStatic, "16Mi")}
	b.unknown(t, o, 0)
	o.Attachments = []kube.Attachment{own("scratch", lab.ClassStatic, "16Mi")}
	b.unknown(t, o, 1)
	b.nothing(t)
}

// unknown checks a volume that may be somebody's, with a user who may see neither
// the volume nor its class. It is not used, its claim stays, and no Job is left
// except one whose pod owns the claim.
func (b bed) unknown(t *testing.T, o place.Options, jobs int) {
	t.Helper()
	p := b.place(o)
	for _, err := range []error{p.Open(b.ctx, nil), p.Close()} {
		if kube.ReasonOf(err) != kube.Claim {
			t.Errorf("got %v", err)
		}
	}
	left, err := b.Kubectl(b.ctx, "-n", o.Namespace, "get", "jobs,pvc", "-o", "name")
	if err != nil || strings.Count(left, "persistentvolumeclaim/") != 1 || strings.Count(left, "job.batch/") != jobs {
		t.Errorf("left: %s, %v", left, err)
	}
	volume, err := b.Kubectl(b.ctx, "-n", o.Namespace, "get", "pvc", "-o", "jsonpath={.items[*].spec.volumeName}")
	if err != nil || volume == "" {
		t.Fatalf("%q, %v", volume, err)
	}
	b.kubectl(t, "-n "+o.Namespace+" delete pvc --all --wait=false") // its pod may keep it
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	b.kubectl(t, "wait pv/"+volume+" --timeout=60s --for=jsonpath={.status.phase}=Released", "patch pv "+volume+` --type=merge -p {"spec":{"claimRef":null}}`,
		"wait pv/"+volume+" --timeout=60s --for=jsonpath={.status.phase}=Available")
}
