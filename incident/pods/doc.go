// Package pods queries a Kubernetes cluster, with a kubeconfig's rights and no access to
// hosts, for pods that fail and their storage: restarts and exits, last output, volumes and
// how full they are, the warnings of the last hour, and unhealthy nodes. It only reads,
// bounds what it reads, and names the missing right for anything it may not read. It has no
// rules.
package pods
