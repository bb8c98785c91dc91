// Package tierfaults tests what goes wrong while storage tiers are measured, one fault per
// test: the assay that users run, against a real Kubernetes and a real Garage of lab/tiers.
//
// Whatever the fault, assay names it in plain words, the exit status and the rows without a
// number show what it cost, and at the end nothing is left: no namespace, pod, claim or
// volume, no bucket or key, no file on a node or on the machine that assay ran on, and no
// secret where it does not belong.
//
//	what happens                                    status  what is left to do
//	nothing                                         0       -
//	Ctrl-C while pods come up, or in mid-run        130     -
//	kill -9 while pods come up, or in mid-run       137     assay cleanup, or the next run
//	Ctrl-C, and run --resume                        0       -
//	--keep                                          0       assay cleanup -i FILE
//	the cluster refuses all pods (quota, level,
//	rights, image, class, node)                     1       what the hint says
//	it refuses those of one tier                    5       the same; the others stand
//	a node is drained, its kubelet stopped          5       assay cleanup, once it is back
//	an exec is cut, the API server restarts         5       - (what was in flight is lost)
//	the API server is off at the end                0 or 5  assay cleanup, once it is back
//	a store's endpoint is down                      5       -
//	the store is gone in mid-run                    1       assay cleanup, once it is back
//	a byte of an object is flipped on its way       5       -
//	the token of the Garage is wrong                1       assay cleanup, with the right one
//
// The package holds tests alone. They need what the lab needs.
package tierfaults
