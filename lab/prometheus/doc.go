// Package prometheus brings up a real Prometheus and its Alertmanager, Debian's, on
// loopback ports that the kernel chooses, to check that rules fire and that pushed
// samples arrive.
package prometheus
