package kube

import (
	"context"
	"time"
)

// Restart stops a service and starts it again. For the API server, it returns
// once it answers.
func (l *Lab) Restart(ctx context.Context, host, service string) error {
	if err := l.Stop(ctx, host, service); err != nil {
		return err
	}
	return l.Start(ctx, host, service)
}

// CutStreams resets every connection to the kubelet of a node, or, for Control, to
// the API server: exec, attach, followed logs and port forwards end, while what
// runs in a pod goes on. The client gets no error for a cut at the kubelet: the
// API server ends the stream as if the command had ended, and kubectl exec of this
// version reports success.
func (l *Lab) CutStreams(ctx context.Context, host string) error {
	port := "443"
	if host != Control {
		port = "10250"
		if err := l.node(host); err != nil {
			return err
		}
	}
	_, err := l.Run(ctx, host, "ss", "--kill", "--tcp", "state", "established", "sport = :"+port)
	return err
}

// Drain makes a node unschedulable and evicts its pods.
func (l *Lab) Drain(ctx context.Context, node string) error {
	if err := l.node(node); err != nil {
		return err
	}
	bound := time.Minute
	if deadline, ok := ctx.Deadline(); ok {
		bound = time.Until(deadline)
	}
	_, err := l.Kubectl(ctx, "drain", node, "--force", "--ignore-daemonsets", "--delete-emptydir-data",
		"--timeout="+bound.Round(time.Second).String())
	return err
}

// Undrain makes a node schedulable again.
func (l *Lab) Undrain(ctx context.Context, node string) error {
	if err := l.node(node); err != nil {
		return err
	}
	_, err := l.Kubectl(ctx, "uncordon", node)
	return err
}
