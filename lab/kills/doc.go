// Package kills kills assay with SIGKILL (-9) at random moments of runs of the suites
// quick, baseline, cluster and tiers, each on file systems with scratch space for one
// run only, and checks the next run: nothing is left, no stored repeat is lost, and no
// run lacks the space that the killed one took.
//
// The package holds tests alone. ASSAY_KILLS is the total number of kills;
// ASSAY_KILLS_SEED determines their moments. They need root, as labs do.
package kills
