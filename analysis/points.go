package analysis

import "assay/reference"

// What points say. Besides these, an Outlier, a ScalingCurve, Fits and a TierBind
// are points as they are.

// HostsAway are hosts that were away in the same way.
type HostsAway struct{ Hosts []Away }

// Obtain is how to get the figures that a host is without.
type Obtain struct{ Without }

// RowsLacking counts the rows without a figure that should have one.
type RowsLacking struct {
	Rows, Of    int
	First       Row
	Interrupted bool // the run was
}

// Loose is what is not known of a run: rows without a figure, figures that did not
// converge or that have warnings, rules that lacked a fact.
type Loose struct {
	Audited
	Rows, Of      int     // without a figure
	Open, Precise int     // figures that did not converge, of those that were to
	Wanted        float64 // to so much
	Rules         int     // that lacked a fact
}

// Nothing reports whether all is known.
func (l Loose) Nothing() bool {
	return l.Rows+l.Open+l.Warned+l.Rules+len(l.Rejected) == 0
}

// NotIdle is that other work competed for these hosts; none where there is one host.
type NotIdle struct {
	Hosts  []string
	Trials int
}

// CachedAbove is that a hypervisor's memory, not a drive, is in so many results.
type CachedAbove struct {
	Results int
	First   Footnote
	Row     Row // of the first
}

// Audited is what the audit says of all figures.
type Audited struct {
	Figures, Warned int
	Rejected        []string // titles
	Gravest         Footnote // where something is rejected
}

// DriveTrouble is a figure of a drive's own that says that something is wrong.
type DriveTrouble struct {
	Row     Row
	Figure  Figure
	Several bool // hosts, so that its own must be named
}

// SyncWrites are synchronous writes at depth 1.
type SyncWrites struct {
	IOPS     Figure
	Median   *Figure // latency
	Class    Class
	Volatile bool // too fast to be durable
	// Drive is the raw device that was written to, "" for a directory; Among are the
	// published drives nearest to it. Virtual is what stands between it and a drive.
	Drive   string
	Among   reference.Neighbours
	Virtual string
}

// RandomReads are small ones.
type RandomReads struct {
	Title string
	IOPS  Figure
	Class Class
}

// Transfers are large ones; what is much depends on the bus, so nothing judges them.
type Transfers struct{ Write, Read *Figure }

// Threads is how much more all threads do than one.
type Threads struct{ Scaling Figure }

// Bottleneck is the figure that comes closest to its ceiling; nil where no ceiling is
// known.
type Bottleneck struct {
	Title   string
	Ceiling *Ceiling
}

// Heat is what full load does to a machine.
type Heat struct {
	Rise, Load Figure
	Throttles  *Figure // nil where the machine does not count them
}

// Converged are the figures that are known as wanted.
type Converged struct{ Known }

// NotConverged are the others.
type NotConverged struct{ Known }

// Suggested is what a finding or an absence suggests.
type Suggested struct{ Advice string }

// QuickRun is that it was too short to settle an argument.
type QuickRun struct{}

// Returning is a host that may be back.
type Returning struct{ Away }

// NoneStandsOut is that no host does in any of so many rows, in some of which all are alike.
type NoneStandsOut struct{ Rows, Alike int }

// Liken is how to make a host like the others.
type Liken struct{ Host, Remedy string } // with {host}

// Mend is what to do about an outlier.
type Mend struct{ Outlier }

// SingleReadings is that outliers rest on such.
type SingleReadings struct{}

// Compared is a column of tiers held against the base.
type Compared struct {
	Column, Base string
	Ways         []Range  // in which it differs
	Same, Open   []string // titles
}

// More counts what is left out of a verdict: outlier, tier, limit, curve.
type More struct {
	N    int
	What string
}
