// Package decide knows the few reads that would confirm or contradict what blame says:
// each states first what it would show and what it costs, and only reads. A decider is
// one file: which reads it has for a verdict, and what their answers show. A place
// runs them.
package decide
