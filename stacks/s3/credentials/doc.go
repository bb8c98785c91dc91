// Package credentials finds the keys of an object store where its users keep
// them: in the environment, in a profile of ~/.aws, in a secret of Kubernetes.
//
// It is used in assay's own process, at the moment when they are needed. What it
// finds it gives to the caller alone, and no error of it holds a secret.
package credentials
