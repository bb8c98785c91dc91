// Package push sends the newest figures of a watch to what takes Prometheus' remote
// writes: Prometheus itself, Mimir, Thanos, VictoriaMetrics.
//
// It sends the first version of the protocol, which all of them take. A sample is forgotten
// by queries after five minutes, so the sender repeats itself as a scraper would.
package push
