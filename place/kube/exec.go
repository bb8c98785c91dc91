package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/client-go/tools/remotecommand"

	"assay"
	"assay/place/remote"
	"assay/stacks/kube"
)

// helloTime limits the time until a sh reads.
const helloTime = 30 * time.Second

// stream is one exec.
type stream struct {
	remote.Session
	done chan struct{}
	err  error // why it ended; valid once done is closed
}

// connect returns an exec with a sh that reads. It waits for failures that may
// heal, such as a restart of the API server or a kubelet.
func (p *Place) connect(ctx context.Context, pod *corev1.Pod, o remote.Order) (*stream, error) {
	began := time.Now()
	for {
		s, err := p.open(ctx, pod, o)
		if err == nil || ctx.Err() != nil {
			return s, err
		}
		patience := p.times.dial
		if kube.Away(err) && !kube.Beyond(err) {
			patience = p.times.reconnect
		} else if problem := p.cluster.Trouble(ctx, p.options.Namespace, p.Job(), pod); problem != nil && !errors.Is(problem, context.Canceled) {
			switch reason := kube.ReasonOf(problem); {
			case reason == kube.Unreachable:
				patience = p.times.reconnect
			case reason != "":
				return nil, fmt.Errorf("host %s: %w", p.options.Host.Name, p.remember(problem))
			}
		}
		if time.Since(began) > patience || forbidden(err) {
			return nil, p.unreached(pod, err)
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func forbidden(err error) bool {
	reason := kube.ReasonOf(err)
	return reason == kube.Forbidden || reason == kube.Unauthorized
}

// remember keeps why the pod is gone, for later commands: Kubernetes forgets.
func (p *Place) remember(problem error) error {
	if errors.Is(problem, kube.ErrRemoved) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.fate == nil {
			p.fate = problem
		}
		return p.fate
	}
	return problem
}

// unreached returns the error for an exec that could not be opened.
func (p *Place) unreached(pod *corev1.Pod, err error) error {
	host := p.options.Host.Name
	if kube.Beyond(err) {
		return fmt.Errorf("host %s: %w", host, &kube.Problem{Reason: kube.Node,
			Text:   "pod " + pod.Name + " is unreachable: the kubelet of node " + pod.Spec.NodeName + " does not answer",
			Event:  kube.Said(err),
			Advice: kube.KubeletAdvice(kube.Said(err))})
	}
	return fmt.Errorf("host %s: %w", host, p.cluster.Explain("exec in pod "+pod.Name, err))
}

// open starts an exec and waits until a sh reads. If it fails, nothing was sent.
func (p *Place) open(ctx context.Context, pod *corev1.Pod, o remote.Order) (*stream, error) {
	executor, err := p.executor(pod)
	if err != nil {
		return nil, err
	}
	reads, writes := io.Pipe()
	life, end := context.WithCancel(context.Background())
	s := &stream{done: make(chan struct{})}
	s.Session = remote.Session{
		Host: p.options.Host.Name, Stdin: writes, Out: remote.NewStream(o.Key, o.PrintLimit()), Err: remote.NewStream(o.Key, o.PrintLimit()), Done: s.done,
		End: func() { end(); <-s.done }, Reason: func() string { return "" },
	}
	go func() {
		s.err = executor.StreamWithContext(life, remotecommand.StreamOptions{Stdin: reads, Stdout: s.Out, Stderr: s.Err})
		end()
		_ = reads.CloseWithError(io.ErrClosedPipe)
		close(s.done)
	}()
	if err := s.greet(ctx, pod.Name); err != nil {
		s.End()
		return nil, err
	}
	return s, nil
}

// executor returns kubectl's executor: WebSockets, or SPDY if something on the
// path does not support them.
func (p *Place) executor(pod *corev1.Pod) (remotecommand.Executor, error) {
	config := p.cluster.Config()
	url := p.cluster.Client().Exec(pod.Namespace, pod.Name, &corev1.PodExecOptions{
		Container: kube.ContainerName, Stdin: true, Stdout: true, Stderr: true,
		Command: []string{"/bin/sh", "-c", remote.Reader},
	})
	sockets, err := remotecommand.NewWebSocketExecutor(config, "GET", url.String())
	if err != nil {
		return nil, err
	}
	spdy, err := remotecommand.NewSPDYExecutor(config, "POST", url)
	if err != nil {
		return nil, err
	}
	return remotecommand.NewFallbackExecutor(sockets, spdy, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
}

var errCut = errors.New("the stream was cut before the command started")

// greet waits for the far sh's hello.
func (s *stream) greet(ctx context.Context, pod string) error {
	bound := time.NewTimer(helloTime)
	defer bound.Stop()
	select {
	case <-s.Out.Hello:
		return nil
	case <-s.done:
		if remote.Closed(s.Out.Hello) {
			return nil // Carry will find it lost
		}
		if s.err == nil {
			return errCut
		}
		if said := strings.TrimSpace(s.Err.Words()); said != "" {
			return fmt.Errorf("%w: %s", s.err, said)
		}
		return s.err
	case <-ctx.Done():
		return ctx.Err()
	case <-bound.C:
		return fmt.Errorf("exec in pod %s did not start sh within %s: %w", pod, helloTime, assay.ErrTimeout)
	}
}

// lost returns what happened to a pod whose stream was lost while a command
// ran.
func (p *Place) lost(ctx context.Context, pod *corev1.Pod, err error) error {
	ctx, cancel := context.WithTimeout(ctx, p.times.dial)
	defer cancel()
	if problem := p.cluster.Trouble(ctx, p.options.Namespace, p.Job(), pod); kube.ReasonOf(problem) != "" {
		return fmt.Errorf("host %s: %w: %w", p.options.Host.Name, remote.ErrLost, p.remember(problem))
	}
	// Nothing is known yet; it takes a while until a dead node is noticed.
	s, failure := p.open(ctx, pod, remote.Order{Key: remote.NewKey()})
	if failure == nil {
		s.End()
		return err
	}
	if problem := p.cluster.Trouble(ctx, p.options.Namespace, p.Job(), pod); kube.ReasonOf(problem) != "" {
		return fmt.Errorf("host %s: %w: %w", p.options.Host.Name, remote.ErrLost, p.remember(problem))
	}
	if kube.Beyond(failure) || kube.Away(failure) {
		return fmt.Errorf("%w: %w", remote.ErrLost, p.unreached(pod, failure))
	}
	return err
}
