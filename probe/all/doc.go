// Package all lists the probes. A new one is a folder beside this one and a
// line here. One that also reads what others ran is on ingest/readers' list too.
package all
