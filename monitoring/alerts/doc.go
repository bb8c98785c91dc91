// Package alerts makes Prometheus rules for the storage that a cluster has: from the
// facts and figures of a run, and from its cluster.yaml. Where something was measured, the
// threshold follows from it, and the annotations say how.
//
// It also makes a dashboard for Grafana of what a watch measures.
//
// Each rule comes with two unit tests for promtool: series on which it fires, and
// everyday ones on which it does not. The names of metrics are those of node_exporter 1.x,
// smartctl_exporter 0.x, Ceph's mgr module, Longhorn's manager, drbd-reactor's Prometheus
// plugin, etcd and the kubelet.
package alerts
