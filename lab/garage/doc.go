// Package garage brings up a real Garage, an object store that speaks S3: one or
// more nodes on the loopback interface of this machine, with a layout, an admin
// API and an S3 endpoint each. assay's object-storage load is tested against it,
// and it can be tried by people who own none.
//
// A node is one process. What must be known to end it lies in the state file of
// the lab's directory, which is written before anything is started, and the
// processes carry the lab's id in their environment: Down finds it all, also
// after the program that made it was killed.
//
// It needs Linux and the program that build.sh makes; root only where the data
// directories are to be bounded. It never measures anything.
package garage
