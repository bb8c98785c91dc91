// Package suite holds the suites: which cases of which probes to run on which
// kinds of subject. They are data, embedded YAML.
//
// It plans nothing and knows no probe: whether a case makes sense is up to the
// probe.
package suite
