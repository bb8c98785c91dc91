// Package garage brings up a real Garage, an object store with the S3 API: one
// or more nodes on this machine's loopback interface, with a layout, an admin
// API and an S3 endpoint each. assay's object-storage load is tested against it,
// and people without a Garage can try it.
//
// A node is one process. What must be known to end it is in the state file of
// the lab's directory, which is written before anything starts, and the
// processes carry the lab's id in their environment: Down finds everything, even
// if the program that made it was killed.
//
// It needs Linux and the program that build.sh makes; root only if the data
// directories are to be bounded. It never measures anything.
package garage
