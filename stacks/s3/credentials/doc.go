// Package credentials finds the keys of an object store where users keep them:
// in the environment, in a profile in ~/.aws, or in a Kubernetes secret.
//
// It runs in assay's own process, at the moment when they are needed. It returns
// what it finds to the caller only, and none of its errors contains a secret.
package credentials
