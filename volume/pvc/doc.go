// Package pvc lends scratch space in a PersistentVolumeClaim: what users of a
// cluster are given when they ask for storage of a class.
//
// The claim is made for the run, in its namespace, and goes with it; Size says how
// large it must be for a test file. With volumeMode Filesystem a scratch directory
// is lent as volume/dir does, where a file system is really mounted; with
// volumeMode Block the device itself, after a look that nothing is on it: a class
// without a provisioner may bind a volume that somebody has used before.
//
// A pod that is gone has taken its claim along, as far as a volume can tell: what
// becomes of claims and persistent volumes is the namespace's business.
package pvc
