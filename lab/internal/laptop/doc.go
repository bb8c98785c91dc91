// Package laptop gives tests of the whole program a machine of its own to assay, as
// a user has it: they type commands there, read what assay says and reports, kill it,
// and see that nothing is left.
package laptop
