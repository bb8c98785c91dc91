// Package alike compares what was read with incidents whose cause is known: real ones from
// public threads, judged by hand. It knows no rules, only which words and kinds of events
// went with which layer, so it has an answer where no rule does. doc/diagnose.md says how
// often it is right.
//
// A text is the set of its terms: each word, each pair of adjacent words, each kind of
// event, and each pair of kinds. A term weighs more the fewer known incidents have it
// (inverse document frequency), and the similarity of two texts is the cosine of their
// weighted terms. The nearest incidents vote for their layers by the square of their
// likeness. This is the k-nearest-neighbour classifier of Yang and Liu, "A re-examination
// of text categorization methods" (SIGIR 1999).
package alike
