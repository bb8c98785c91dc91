// Package api is a Kubernetes API client for the few resources that assay uses.
// client-go's own clientset brings in every group and version, and would be a third
// of the program. This client adds no retries to client-go's own, and does not
// explain errors: package kube does.
package api
