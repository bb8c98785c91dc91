// Command assay measures how fast each layer of a machine really is, and checks
// whether the number can be true.
//
// Each verb has its own file. A verb reads its flags, calls the pipeline and
// chooses a voice; it measures nothing and judges nothing itself.
package main
