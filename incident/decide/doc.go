// Package decide holds the few reads that could confirm or contradict blame's verdict:
// each states in advance what it would show and what it costs, and only reads. A
// decider is one file: its reads for a verdict, and how to interpret the results. A
// place runs them.
package decide
