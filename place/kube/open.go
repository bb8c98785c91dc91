package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/kube"
)

// Open makes the claims and the Job, and waits until the pod is ready for commands.
// It fails with a *kube.Problem, at once if the problem cannot heal by itself,
// otherwise after Options.Patience; every later Run returns the same. A claim bound
// to a volume that existed before, in a class that provisions volumes, cannot heal.
// progress, if not nil, is called with a few words on what is awaited. After an
// error nothing is left, except with Options.Keep.
func (p *Place) Open(ctx context.Context, progress func(string)) error {
	if p.opened() != nil {
		return nil
	}
	if progress == nil {
		progress = func(string) {}
	}
	err := p.begin(ctx, progress)
	if host := "host " + p.options.Host.Name + ": "; err != nil && !strings.HasPrefix(err.Error(), host) { // errors of Run name it
		err = fmt.Errorf("%s%w", host, err)
	}
	p.mu.Lock()
	p.failed = err
	p.mu.Unlock()
	if err == nil {
		return nil
	}
	undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.times.close)
	defer cancel()
	return errors.Join(err, p.remove(undo))
}

func (p *Place) begin(ctx context.Context, progress func(string)) error {
	if err := p.checkNode(ctx); err != nil {
		return err
	}
	for _, spec := range p.options.claimed() {
		if err := p.cluster.CheckFree(ctx, spec, p.options.Node); err != nil {
			return err
		}
	}
	name := p.options.jobName()
	o, claims := p.options.ownedBy(name)
	p.mu.Lock()
	p.name, p.claims, p.closed = name, claims, false // before anything exists: an answer may be lost
	p.mu.Unlock()
	for _, a := range o.Attachments {
		if a.Claim == nil {
			continue
		}
		if _, err := p.cluster.Client().PersistentVolumeClaims(o.Namespace).Create(ctx, a.Claim); err != nil {
			return p.cluster.Explain("create claim "+a.Claim.Name+" in namespace "+o.Namespace, err)
		}
	}
	if _, err := p.cluster.Client().Jobs(o.Namespace).Create(ctx, o.job(name, p.times.forget)); err != nil {
		return p.cluster.Explain("create job "+name+" in namespace "+o.Namespace, err)
	}
	return p.await(ctx, name, progress)
}

// checkNode checks that a named node exists and accepts pods, and that the
// image is not known to be for another architecture.
func (p *Place) checkNode(ctx context.Context) error {
	if p.options.Node == "" {
		return nil
	}
	nodes, err := p.cluster.Nodes(ctx, p.options.Node)
	if kube.ReasonOf(err) == kube.Forbidden {
		return nil // the scheduler will report it
	}
	if err != nil {
		return err
	}
	return p.checkArchitecture(nodes[0].Architecture, nodes[0].Name)
}

func (p *Place) checkArchitecture(arch, node string) error {
	known := imageArchitectures[p.options.Image]
	if known == nil || arch == "" || slices.Contains(known, arch) {
		return nil
	}
	return &kube.Problem{Reason: kube.Architecture,
		Text:   fmt.Sprintf("image %s is built for %s, but node %s is %s", p.options.Image, strings.Join(known, " and "), node, arch),
		Advice: "use an image for " + arch + " with image:"}
}

// await polls, because a watch ends when its API server does, and the wait
// takes only seconds.
func (p *Place) await(ctx context.Context, name string, progress func(string)) error {
	w := waiting{place: p, job: name, progress: progress, until: time.Now().Add(p.times.begin)}
	for pause := 200 * time.Millisecond; ; pause = min(pause*5/4, time.Second) {
		ready, err := w.look(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if ready || err != nil {
			return err
		}
		if err := sleep.For(ctx, pause); err != nil {
			return err
		}
	}
}

// waiting is one wait for a pod.
type waiting struct {
	place    *Place
	job      string
	progress func(string)
	until    time.Time
	said     string

	// What the cluster reports and what the pod is asked heal apart from each other:
	// a node may be ready while its kubelet refuses logs and commands.
	trouble, access lasting
}

// lasting is a problem that may heal, and when it was first seen.
type lasting struct {
	reason kube.Reason // "" for none
	since  time.Time
}

func (w *waiting) say(format string, args ...any) {
	if words := fmt.Sprintf(format, args...); words != w.said {
		w.said = words
		w.progress(words)
	}
}

// look reports whether the pod is ready for commands.
func (w *waiting) look(ctx context.Context) (bool, error) {
	p := w.place
	if err := w.judge(&w.trouble, p.cluster.Trouble(ctx, p.options.Namespace, w.job, nil)); err != nil {
		return false, err
	}
	ready, err := w.ask(ctx)
	return ready, w.judge(&w.access, err)
}

// ask reports whether the pod says that it is ready, and runs a command.
func (w *waiting) ask(ctx context.Context) (bool, error) {
	p, namespace := w.place, w.place.options.Namespace
	pod, err := p.cluster.PodOf(ctx, namespace, w.job)
	if err != nil {
		return false, err
	}
	if pod == nil || pod.Spec.NodeName == "" || pod.Status.Phase != corev1.PodRunning {
		if w.trouble.reason == "" {
			w.say("waiting for pod of job %s", w.job)
		}
		return false, w.tooLong("pod of job " + w.job + " did not start")
	}
	text, err := p.cluster.Log(ctx, namespace, pod.Name, 50)
	if err != nil {
		return false, err
	}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "assay: ready" {
			err := p.found(ctx, pod)
			return err == nil, err
		}
		if doing, is := strings.CutPrefix(line, "assay: installing"); is {
			w.say("pod %s: installing%s", pod.Name, doing)
		}
	}
	return false, w.tooLong("pod " + pod.Name + " did not become ready")
}

// judge returns err if it must end the wait: at once, because it has lasted too
// long, or because the time for all is over.
func (w *waiting) judge(l *lasting, err error) error {
	reason := kube.ReasonOf(err)
	switch {
	case err == nil:
		l.reason = ""
		return nil
	case reason != l.reason:
		l.reason, l.since = reason, time.Now()
	}
	var problem *kube.Problem
	heals := errors.As(err, &problem) && (problem.Passing || reason == kube.Unreachable || reason == kube.Node)
	if heals && time.Since(l.since) < w.place.options.Patience && time.Now().Before(w.until) {
		w.say("%v", problem)
		return nil
	}
	return err
}

func (w *waiting) tooLong(what string) error {
	if time.Now().Before(w.until) {
		return nil
	}
	return &kube.Problem{Reason: kube.Slow, Text: fmt.Sprintf("%s within %s", what, w.place.times.begin),
		Advice: "kubectl -n " + w.place.options.Namespace + " describe job/" + w.job}
}

// found keeps the ready pod, once its volumes have been checked and a command has
// run in it.
func (p *Place) found(ctx context.Context, pod *corev1.Pod) error {
	claims, err := p.claimsOf(ctx, p.Job())
	if err != nil {
		return err
	}
	for i := range claims {
		if err := p.cluster.CheckMade(ctx, &claims[i]); err != nil {
			return err
		}
	}
	p.keep(pod)
	if _, err = p.Run(ctx, assay.Cmd{Argv: []string{"true"}, Timeout: time.Minute}); err != nil {
		p.keep(nil)
	}
	return err
}

func (p *Place) keep(pod *corev1.Pod) { p.mu.Lock(); defer p.mu.Unlock(); p.pod = pod }
