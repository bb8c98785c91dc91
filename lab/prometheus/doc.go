// Package prometheus brings up a real Prometheus and its Alertmanager, Debian's, on ports
// of loopback that the kernel chooses: to see that rules fire there, and that what is
// pushed arrives.
package prometheus
