// Package kubetest gives tests a real Kubernetes, and takes it down when they
// end.
package kubetest
