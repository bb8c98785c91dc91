// Package reporttest holds a Document for the tests of the voices.
//
// The machine in it is made up, as are its numbers, though they agree with each
// other and with physics except where a finding says that they do not. It is
// never linked into assay itself.
package reporttest
