// Package failover tests the suite failover as its users use it, on hosts of lab/hosts: a
// stand-in moves an address after a time that is known, keepalived moves a real virtual IP under
// load, stand-ins of Proxmox VE's HA and of drbd-reactor move a guest and a controller; runs are
// interrupted and killed while it is away, and the way to the host is cut itself. Commands are
// asked as pings are, and nothing is left of one that hangs. A real Kubernetes loses
// the node of a pod.
package failover
