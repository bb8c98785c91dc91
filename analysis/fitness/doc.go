// Package fitness says what storage is good for: etcd, databases, VM disks, container
// images, backups, blobs. Each use has thresholds, which are data with their sources;
// holding readings against them is pure, and knows neither runs nor reports. What lacks
// a reading is not measured, never good.
package fitness
