// Package laptop gives tests of the whole program a private machine to assay, as a
// user would: they run commands there, read assay's messages and reports, kill it,
// and check that nothing is left.
package laptop
