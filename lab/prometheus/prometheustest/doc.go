// Package prometheustest gives tests a real Prometheus and Alertmanager, and takes them
// down when they end.
package prometheustest
