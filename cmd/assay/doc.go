// Command assay says how fast each layer of a machine really is, and whether
// the number can be true.
//
// One file a verb. A verb reads its flags, calls the pipeline and chooses a
// voice; it measures nothing and judges nothing itself.
package main
