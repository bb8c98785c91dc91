// Package api is a client of the Kubernetes API for the few resources that assay
// uses. client-go's own clientset brings every group and version there is, and would
// be a third of the program. It never retries beyond what client-go does for a
// request, and never explains an error: package kube does.
package api
