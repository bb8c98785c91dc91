// Package failover tests the suite failover as its users run it, on hosts of lab/hosts: a
// stand-in moves an address after a known time, keepalived moves a real virtual IP under load,
// and stand-ins for Proxmox VE's HA and drbd-reactor move a guest and a controller; runs are
// interrupted and killed while it is away, and the path to the host itself is cut. Commands
// are polled like pings, and one that hangs leaves nothing behind. A real Kubernetes loses the
// node of a pod.
package failover
