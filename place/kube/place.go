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
// same family as most hosts, so that its fio is built alike. The programs in
// DefaultInstall are installed in it when a pod starts.
const DefaultImage = "docker.io/library/debian:12.11-slim"

// DefaultInstall lists what a pod of the default image must have.
var DefaultInstall = []string{"fio", "iperf3", "ping"}

// imageArchitectures maps known images to their architectures; for others, the
// API reports none before they run.
var imageArchitectures = map[string][]string{DefaultImage: {"amd64", "arm64"}}

// Options describe the pod to make. Zero values are left to the cluster.
type Options struct {
	Host      assay.Host
	Namespace string // must exist
	Run       string // run id, for labels
	Tier      string // for labels
	// Image "" means DefaultImage with DefaultInstall.
	Image      string
	PullPolicy corev1.PullPolicy
	// Install lists required programs: fio, iperf3, ping, or any whose package
	// has its name. Missing ones are installed, as root and over the network;
	// if none is missing, neither is needed.
	Install []string

	Node          string // the node that it must run on
	NodeSelector  map[string]string
	Tolerations   []corev1.Toleration
	Requests      corev1.ResourceList
	Limits        corev1.ResourceList
	PriorityClass string
	HostNetwork   bool
	// Attachments are mounted. Claims get unique names: see Place.Claim.
	Attachments []kube.Attachment

	// Deadline is the time after which Kubernetes ends the Job by itself; 0
	// means a day.
	Deadline time.Duration
	// Patience is how long a problem that may heal by itself may last while the
	// pod is awaited: a full cluster, an unbound claim; 0 means 90 s.
	Patience time.Duration
	// Keep makes Close leave the Job, its pod and its claims.
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
	pod    *corev1.Pod       // as of when it became ready; nil before that
	claims map[string]string // cluster names of the attachments' claims
	failed error             // why Open failed, if it did
	fate   error             // why the pod is gone, once known
	closed bool
}

// times are the time limits; tests are less patient.
type times struct {
	begin     time.Duration // until the pod is ready, in total
	reconnect time.Duration // until a lost API server is back
	dial      time.Duration // until an unreachable node is given up
	close     time.Duration // until what Close deletes is gone
	forget    time.Duration // until Kubernetes deletes an ended Job
	beat      time.Duration // how often the pod gets a heartbeat
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

// Host returns the pod as a host of assay.
func (p *Place) Host() assay.Host { return p.options.Host }

// Job returns the name of the pod's Job, or "" before Open.
func (p *Place) Job() string { p.mu.Lock(); defer p.mu.Unlock(); return p.name }

// Address returns the pod's IP address, or "" before Open.
func (p *Place) Address() string {
	if pod := p.opened(); pod != nil {
		return pod.Status.PodIP
	}
	return ""
}

// Node returns the node that the pod runs on, or "" before Open.
func (p *Place) Node() string {
	if pod := p.opened(); pod != nil {
		return pod.Spec.NodeName
	}
	return ""
}

// Claim returns the cluster name of an attachment's claim, which is unique to
// this place; "" before Open.
func (p *Place) Claim(name string) string { p.mu.Lock(); defer p.mu.Unlock(); return p.claims[name] }

func (p *Place) opened() *corev1.Pod { p.mu.Lock(); defer p.mu.Unlock(); return p.pod }

func (p *Place) remembered() error { p.mu.Lock(); defer p.mu.Unlock(); return p.fate }

// notOpen returns why there is no pod to run anything in.
func (p *Place) notOpen() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return p.failed
	}
	return fmt.Errorf("host %s: its pod was not started", p.options.Host.Name)
}

// Run runs c in the pod, in a session of its own and in the C locale unless c.Env
// names another. Beyond the errors of every place, its errors are *kube.Problem if
// the cluster reports what is wrong, and remote.ErrLost if only the stream was cut.
// Opening a stream is retried for a while, since the command has not begun by then;
// after that nothing is retried.
func (p *Place) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	// A server that closes a connection with unread data from us resets it, and
	// what we have not read by then is lost.
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
