// Package all lists the learners: the tools whose output says what a machine is.
// A new one is a folder beside this one and a line here.
package all
