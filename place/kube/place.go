package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"assay"
	"assay/place/remote"
	"assay/stacks/kube"
)

// DefaultImage is a stock distribution that exists for amd64 and arm64, of the
// same family as most hosts, so that fio is built alike. The programs that
// DefaultInstall names are installed in it when a pod begins.
const DefaultImage = "docker.io/library/debian:12.11-slim"

// DefaultInstall is what a pod of the default image must have.
var DefaultInstall = []string{"fio", "iperf3", "ping"}

// imageArchitectures are those of the images that are known; of others the API
// tells nothing before they run.
var imageArchitectures = map[string][]string{DefaultImage: {"amd64", "arm64"}}

// Options say what the pod is made with. What is zero is left to the cluster.
type Options struct {
	Host      assay.Host
	Namespace string // it must be there
	Run       string // the run's id, for labels
	Tier      string // for labels
	// Image is "" for DefaultImage with DefaultInstall.
	Image      string
	PullPolicy corev1.PullPolicy
	// Install are programs that there must be: fio, iperf3, ping, or any whose
	// package has its name. Those that are missing are installed, as root and
	// through the network; where all are there, neither is made use of.
	Install []string

	Node          string // the one that it must run on
	NodeSelector  map[string]string
	Tolerations   []corev1.Toleration
	Requests      corev1.ResourceList
	Limits        corev1.ResourceList
	PriorityClass string
	HostNetwork   bool
	// Attachments are mounted. Claims get names of their own: see Place.Claim.
	Attachments []kube.Attachment

	// Deadline is after how long Kubernetes ends the Job by itself; 0 is a day.
	Deadline time.Duration
	// Patience is how long what may heal by itself may last, while the pod is
	// awaited: a full cluster, a claim that is not bound; 0 is 90 s.
	Patience time.Duration
	// Keep leaves the Job, its pod and its claims where Close would delete them.
	Keep bool
}

const (
	defaultDeadline = 24 * time.Hour
	defaultPatience = 90 * time.Second
)

// Place runs commands in a pod.
type Place struct {
	cluster *kube.Cluster
	options Options
	times   times

	mu     sync.Mutex
	name   string            // of the Job, "" where none was made
	pod    *corev1.Pod       // as it was when it was ready; nil before that
	claims map[string]string // what those of the attachments are called in the cluster
	failed error             // why Open failed, where it did
	fate   error             // why the pod is no more, once that is known
	closed bool
}

// times are how long this and that may take; tests are less patient.
type times struct {
	begin     time.Duration // until the pod is ready, in all
	reconnect time.Duration // until an API server that went away is back
	dial      time.Duration // until a node that is not reached is given up
	close     time.Duration // until what Close deletes is gone
	forget    time.Duration // after which Kubernetes deletes a Job that has ended
	beat      time.Duration // how often the pod hears from us
}

var usualTimes = times{
	begin: 10 * time.Minute, reconnect: time.Minute, dial: 15 * time.Second,
	close: time.Minute, forget: 2 * time.Minute, beat: remote.BeatTime,
}

// New returns the place. Open makes its pod.
func New(c *kube.Cluster, o Options) *Place {
	if o.Image == "" {
		o.Image = DefaultImage
		if o.Install == nil {
			o.Install = DefaultInstall
		}
	}
	if o.Deadline <= 0 {
		o.Deadline = defaultDeadline
	}
	if o.Patience <= 0 {
		o.Patience = defaultPatience
	}
	return &Place{cluster: c, options: o, times: usualTimes}
}

// Host names the pod as assay does.
func (p *Place) Host() assay.Host { return p.options.Host }

// Job names the pod's Job, "" before Open.
func (p *Place) Job() string { p.mu.Lock(); defer p.mu.Unlock(); return p.name }

// Address is the pod's IP address, "" before Open.
func (p *Place) Address() string {
	if pod := p.opened(); pod != nil {
		return pod.Status.PodIP
	}
	return ""
}

// Node is the node that the pod runs on, "" before Open.
func (p *Place) Node() string {
	if pod := p.opened(); pod != nil {
		return pod.Spec.NodeName
	}
	return ""
}

// Claim is what the claim of an attachment is called in the cluster, where no two
// places make one of the same name; "" before Open.
func (p *Place) Claim(name string) string { p.mu.Lock(); defer p.mu.Unlock(); return p.claims[name] }

func (p *Place) opened() *corev1.Pod { p.mu.Lock(); defer p.mu.Unlock(); return p.pod }

func (p *Place) remembered() error { p.mu.Lock(); defer p.mu.Unlock(); return p.fate }

// notOpen says why there is no pod to run anything in.
func (p *Place) notOpen() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return p.failed
	}
	return fmt.Errorf("host %s: its pod was not started", p.options.Host.Name)
}

// Run runs c in the pod, in a session of its own and in the C locale where c.Env
// names no other. Beside what every place gives, its errors are *kube.Problem
// where the cluster says what is wrong, and remote.ErrLost where only the stream was
// cut. A stream that cannot be opened is tried again for a while, since a command
// has not begun by then; after that nothing is tried again.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	// A server that closes a connection on which something from us is still unread
	// resets it, and what we have not read by then is lost.
	o := remote.Order{Cmd: c, Key: remote.NewKey(), Beat: p.times.beat, Linger: true}
	if err := o.Check(); err != nil {
		return assay.Output{}, fmt.Errorf("host %s: %w", p.options.Host.Name, err)
	}
	pod := p.opened()
	if pod == nil {
		return assay.Output{}, p.notOpen()
	}
	if fate := p.remembered(); fate != nil {
		return assay.Output{}, fmt.Errorf("host %s: %w", p.options.Host.Name, fate)
	}
	s, err := p.connect(ctx, pod, o)
	if err != nil {
		return assay.Output{}, err
	}
	out, err := s.Carry(ctx, o)
	if errors.Is(err, remote.ErrLost) && ctx.Err() == nil {
		err = p.lost(ctx, pod, err)
	}
	return out, err
}
