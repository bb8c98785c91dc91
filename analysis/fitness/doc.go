// Package fitness judges what storage is good for: etcd, databases, VM disks, container
// images, backups, blobs. Each use has thresholds, which are data with their sources;
// comparing readings with them is pure, and knows nothing of runs or reports. A use
// without a reading is not measured, never good.
package fitness
