// Package kills kills assay -9 at random moments of runs of the suites quick, baseline,
// cluster and tiers, each on file systems that hold the scratch space of one run, and
// looks at what the next run makes of it: nothing is left, no repeat that was stored is
// lost, and no run lacks the space that the killed one took.
//
// The package holds tests alone. ASSAY_KILLS is how many kills there are in all; the
// moments follow from ASSAY_KILLS_SEED. They need root, as labs do.
package kills
