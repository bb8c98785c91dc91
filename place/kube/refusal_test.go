package kube_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"assay"
	lab "assay/lab/kube"
	place "assay/place/kube"
	"assay/stacks/kube"
)

const refusing = `
apiVersion: v1
kind: Namespace
metadata: {name: baseline, labels: {pod-security.kubernetes.io/enforce: baseline}}
---
apiVersion: v1
kind: Namespace
metadata: {name: full}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: none, namespace: full}
spec: {hard: {pods: "0"}}
---
apiVersion: v1
kind: Namespace
metadata: {name: narrow}
---
apiVersion: v1
kind: LimitRange
metadata: {name: small, namespace: narrow}
spec: {limits: [{type: Container, max: {memory: 64Mi}}]}
`

// aForeign creates, on a node, a program for a processor that it does not have:
// an ELF header for machine 0xf3f3.
const aForeign = `mkdir -p /srv/bench && { printf '\177ELF\002\001\001'; head -c 9 /dev/zero; printf '\002\000\363\363\001\000\000\000'; head -c 200 /dev/zero; } >/srv/bench/foreign && chmod 755 /srv/bench/foreign`

// refusals checks pods that never become ready: each says why, in words that
// name what to change, and leaves nothing.
func refusals(t *testing.T, b bed) {
	if err := b.Apply(b.ctx, refusing); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Run(b.ctx, "node1", "sh", "-c", aForeign); err != nil {
		t.Fatal(err)
	}
	foreign := hostPath("/srv/bench/foreign", "/bin/sh")
	foreign.Persists = false
	cases := map[string]struct {
		change func(*place.Options)
		reason kube.Reason
		words  []string
		passes bool // it may heal, so it is waited for
	}{
		"an image that is not there": {func(o *place.Options) { o.Image = "assay.lab/none:1" },
			kube.Image, []string{"assay.lab/none:1", "node1", "ErrImageNeverPull"}, false},
		"an image that cannot be pulled": {func(o *place.Options) { o.Image, o.PullPolicy = "assay.lab/none:1", corev1.PullIfNotPresent },
			kube.Image, []string{"assay.lab/none:1", "cannot pull"}, true},
		"no image's name": {func(o *place.Options) { o.Image = "Not/An Image" },
			kube.Image, []string{"Not/An Image"}, false},
		"an image without a shell": {func(o *place.Options) { o.Image = lab.ForeignImage },
			kube.Container, []string{"/bin/sh"}, false},
		"programs for another processor": {func(o *place.Options) { o.Attachments = []kube.Attachment{foreign} },
			kube.Architecture, []string{lab.Image, "node1", "exec format error"}, false},
		"programs that cannot be installed": {func(o *place.Options) { o.Install = []string{"assay-no-such-program"} },
			kube.Container, []string{"could not install assay-no-such-program"}, false},
		"a claim that nobody provisions": {func(o *place.Options) { o.Attachments = []kube.Attachment{claim("never", lab.ClassNever, "1Gi")} },
			kube.Claim, []string{"claim never", lab.ClassNever, "is not bound"}, true},
		"a class that is not there": {func(o *place.Options) { o.Attachments = []kube.Attachment{claim("nowhere", "no-such-class", "1Gi")} },
			kube.Claim, []string{"claim nowhere", `"no-such-class" not found`}, false},
		"a static volume that is too small": {func(o *place.Options) { o.Attachments = []kube.Attachment{claim("large", lab.ClassStatic, "5Gi")} },
			kube.Claim, []string{"claim large", "5Gi"}, true},
		"a quota": {func(o *place.Options) { o.Namespace = "full" },
			kube.Quota, []string{"namespace full", "exceeded quota"}, false},
		"a limit": {func(o *place.Options) {
			o.Namespace = "narrow"
			o.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}
		}, kube.Limits, []string{"namespace narrow", "64Mi"}, false},
		"Pod Security": {func(o *place.Options) {
			o.Namespace, o.Attachments = "baseline", []kube.Attachment{hostPath("/srv/bench", "/data")}
		}, kube.PodSecurity, []string{"namespace baseline", "hostPath"}, false},
		"too much": {func(o *place.Options) {
			o.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1000")}
		}, kube.Scheduling, []string{"Insufficient cpu"}, true},
		"a node that is not there": {func(o *place.Options) { o.Node = "nodee1" },
			kube.NotFound, []string{`no node "nodee1"`}, false},
		"a namespace that is not there": {func(o *place.Options) { o.Namespace = "nowhere" },
			kube.NotFound, []string{"nowhere"}, false},
	}
	// In parallel: most of it is waiting.
	type attempt struct {
		place *place.Place
		err   error
		took  time.Duration
	}
	attempts := map[string]chan attempt{}
	for name, c := range cases {
		given := make(chan attempt, 1)
		attempts[name] = given
		o := options("bad " + strings.ReplaceAll(name, " ", "-"))
		c.change(&o)
		go func() {
			p, began := b.place(o), time.Now()
			err := p.Open(b.ctx, nil)
			given <- attempt{p, err, time.Since(began)}
		}()
	}
	done := map[string]attempt{}
	for name := range cases {
		done[name] = <-attempts[name]
	}
	for name, c := range cases {
		a := done[name]
		p, err, took := a.place, a.err, a.took
		t.Run(name, func(t *testing.T) {
			t.Logf("%.1f s: %v (%s)", took.Seconds(), err, assay.Hint(err))
			if kube.ReasonOf(err) != c.reason {
				t.Errorf("the reason is %q, want %q", kube.ReasonOf(err), c.reason)
			}
			for _, words := range c.words {
				if err == nil || !strings.Contains(err.Error(), words) {
					t.Errorf("it does not say %q", words)
				}
			}
			if c.passes && took < options("").Patience {
				t.Errorf("what may heal was given up after %v", took)
			}
			if took > 85*time.Second { // it waits for 90 s at most
				t.Errorf("it took %v", took)
			}
			if _, late := p.Run(b.ctx, assay.Cmd{Argv: []string{"true"}}); late == nil || kube.ReasonOf(late) != c.reason || late.Error() != err.Error() {
				t.Errorf("a command in it says %v", late)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			left, err := b.Kubectl(b.ctx, "get", "jobs,pods,pvc", "-A", "-o", "name", "-l", kube.OfRun("run1"))
			if err != nil || strings.TrimSpace(left) != "" {
				t.Errorf("left: %s, %v", left, err)
			}
		})
	}
}

// restricted checks minimal rights: a restricted namespace admits the pod, and
// its commands can ping and write into a claim.
func restricted(t *testing.T, b bed) {
	if err := b.Apply(b.ctx, `{apiVersion: v1, kind: Namespace, metadata: {name: strict, labels: {pod-security.kubernetes.io/enforce: restricted}}}`); err != nil {
		t.Fatal(err)
	}
	o := options("strict")
	o.Namespace, o.Attachments = "strict", []kube.Attachment{claim("small", lab.ClassDelete, "64Mi")}
	p := b.open(t, o)
	for _, c := range []struct{ script, want string }{
		{"id -u", "65532\n"},
		{"echo x >/data/file && cat /data/file", "x\n"},
		{"ls /var/run/secrets/kubernetes.io/serviceaccount 2>/dev/null | wc -l", "0\n"},
	} {
		out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"sh", "-c", c.script}})
		if err != nil || string(out.Stdout) != c.want {
			t.Errorf("%s: %q, %v %s", c.script, out.Stdout, err, out.Stderr)
		}
	}
}

// claims checks that claims come and go with the pod, and so does what was
// provisioned for them, though its class retains it.
func claims(t *testing.T, b bed) {
	o := options("claims")
	o.Attachments = []kube.Attachment{claim("mine", lab.ClassRetain, "64Mi")}
	p := b.open(t, o)
	out, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"df", "--output=target", "/data"}})
	if err != nil || !strings.Contains(string(out.Stdout), "/data") {
		t.Errorf("%s, %v", out.Stdout, err)
	}
	labelled, err := b.Kubectl(b.ctx, "get", "jobs,pods,pvc", "-l", kube.OfRun("run1")+","+kube.LabelTier+"=sd", "-o", "name")
	if err != nil || strings.Count(labelled, "\n") != 3 {
		t.Errorf("labelled are %s, %v", labelled, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	left, err := b.Kubectl(b.ctx, "get", "jobs,pods,pvc", "-l", kube.OfRun("run1"), "-o", "name")
	if err != nil || left != "" {
		t.Errorf("left: %s, %v", left, err)
	}
	if volumes, err := b.Kubectl(b.ctx, "get", "pv", "-o", "name"); err != nil || strings.Contains(volumes, "pvc-") {
		t.Errorf("its volume is left: %s, %v", volumes, err)
	}
	if _, err := p.Run(b.ctx, assay.Cmd{Argv: []string{"true"}}); !errors.Is(err, assay.ErrHostGone) {
		t.Errorf("a command in a pod that is closed: %v", err)
	}
}

// defaultImage checks the image that is used if none is named; if it has the
// programs, nothing is installed.
func defaultImage(t *testing.T, b bed) {
	if err := b.Tag(b.ctx, place.DefaultImage); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Untag(b.ctx, place.DefaultImage); err != nil {
			t.Error(err)
		}
	}()
	o := options("default")
	o.Image, o.PullPolicy, o.Keep = "", "", true
	p := b.place(o)
	if err := p.Open(b.ctx, nil); err != nil {
		t.Fatal(err)
	}
	if log, err := b.Kubectl(b.ctx, "logs", "job/"+p.Job()); err != nil || strings.TrimSpace(log) != "assay: ready" {
		t.Errorf("its log is %q, %v", log, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := b.Kubectl(b.ctx, "delete", "job", p.Job()); err != nil {
		t.Errorf("what was to be kept is not there: %v", err)
	}
}

// cancelled checks that cancelling a wait removes what was created by then.
func cancelled(t *testing.T, b bed) {
	o := options("cancelled")
	o.Patience, o.Attachments = time.Minute, []kube.Attachment{claim("awaited", lab.ClassNever, "1Gi")}
	p := b.place(o)
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	err := p.Open(ctx, func(words string) {
		if strings.Contains(words, "is not bound") {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	left, err := b.Kubectl(b.ctx, "get", "jobs,pods,pvc", "-l", kube.OfRun("run1"), "-o", "name")
	if err != nil || left != "" {
		t.Errorf("left: %s, %v", left, err)
	}
}
