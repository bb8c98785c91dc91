// Package pvc lends scratch space in a PersistentVolumeClaim: what users of a
// cluster get when they ask for storage of a class.
//
// The claim is created for the run, in its namespace, and goes with it; Size
// returns how large it must be for a test file. With volumeMode Filesystem it
// lends a scratch directory as volume/dir does, if a file system is really
// mounted; with volumeMode Block it lends the device itself, after checking that
// nothing is on it: a class without a provisioner may bind a used volume.
//
// If a pod is gone, so is its claim, as far as a volume can tell: what becomes of
// claims and persistent volumes is up to the namespace.
package pvc
