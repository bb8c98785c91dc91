// Package reporttest provides a Document for tests of the voices.
//
// The machine in it and its numbers are made up, but agree with each other and
// with physics except where a finding says that they do not. It is never linked
// into assay itself.
package reporttest
