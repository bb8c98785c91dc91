// Package alerts makes Prometheus rules for a cluster's storage from the facts and figures
// of a run, and from its cluster.yaml. Where there is a measurement, the threshold is
// derived from it, and the annotations explain how.
//
// It also makes a Grafana dashboard of what a watch measures.
//
// Each rule comes with two unit tests for promtool: series on which it fires, and everyday
// ones on which it does not. The metric names are those of node_exporter 1.x,
// smartctl_exporter 0.x, Ceph's mgr module, Longhorn's manager, drbd-reactor's Prometheus
// plugin, etcd and the kubelet.
package alerts
