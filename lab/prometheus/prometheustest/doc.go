// Package prometheustest gives tests a real Prometheus and Alertmanager that last until
// the tests end.
package prometheustest
