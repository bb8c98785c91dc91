// Package push sends the newest figures of a watch to receivers of Prometheus' remote
// write: Prometheus itself, Mimir, Thanos, VictoriaMetrics.
//
// It uses the first version of the protocol, which all of them accept. Queries forget a
// sample after five minutes, so the sender repeats it as a scraper would.
package push
