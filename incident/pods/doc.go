// Package pods asks a Kubernetes, with the rights of a kubeconfig and without a host, which
// pods fail over which storage: their restarts and exits, what they printed last, what their
// volumes are and how full, the warnings of the last hour, and nodes that are not well. It
// only reads, bounds what it reads, and says of what it may not read which right would let
// it. It knows no rule.
package pods
