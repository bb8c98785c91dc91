// Package suite holds the suites: which cases of which probes to run on which
// kinds of subject. They are data, embedded YAML.
//
// It plans nothing and knows no probe: whether a case makes sense is for the
// probe to say.
package suite
