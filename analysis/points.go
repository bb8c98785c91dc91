package analysis

import "assay/reference"

// Contents of points. An Outlier, a ScalingCurve, Fits and a TierBind are points
// too, as they are.

// HostsAway are hosts that were away in the same way.
type HostsAway struct{ Hosts []Away }

// Obtain is how to get the figures that a host lacks.
type Obtain struct{ Without }

// RowsLacking counts the rows that should have a figure and do not.
type RowsLacking struct {
	Rows, Of    int
	First       Row
	Interrupted bool // the run was
}

// Loose is what a run leaves unknown: rows without a figure, figures that did not
// converge or have warnings, rules that lacked a fact.
type Loose struct {
	Audited
	Rows, Of      int     // without a figure
	Open, Precise int     // figures that did not converge, of those that were to
	Wanted        float64 // to so much
	Rules         int     // that lacked a fact
}

// Nothing reports whether everything is known.
func (l Loose) Nothing() bool {
	return l.Rows+l.Open+l.Warned+l.Rules+len(l.Rejected) == 0
}

// NotIdle means that other work competed for these hosts; none if there is only one
// host.
type NotIdle struct {
	Hosts  []string
	Trials int
}

// CachedAbove means that this many results include a hypervisor's memory, not a
// drive.
type CachedAbove struct {
	Results int
	First   Footnote
	Row     Row // of the first
}

// Audited sums up the audit of all figures.
type Audited struct {
	Figures, Warned int
	Rejected        []string // titles
	Gravest         Footnote // if something is rejected
}

// DriveTrouble is a figure reported by a drive itself that shows that something
// is wrong.
type DriveTrouble struct {
	Row     Row
	Figure  Figure
	Several bool // several hosts, so its own must be named
}

// SyncWrites are synchronous writes at depth 1.
type SyncWrites struct {
	IOPS     Figure
	Median   *Figure // latency
	Class    Class
	Volatile bool // too fast to be durable
	// Drive is the raw device written to, "" for a directory; Among are the
	// published drives nearest to it. Virtual is what lies between it and a drive.
	Drive   string
	Among   reference.Neighbours
	Virtual string
}

// RandomReads are small random reads.
type RandomReads struct {
	Title string
	IOPS  Figure
	Class Class
}

// Transfers are large reads and writes; what counts as fast depends on the bus, so
// nothing judges them.
type Transfers struct{ Write, Read *Figure }

// Threads is how much more all threads do than one.
type Threads struct{ Scaling Figure }

// Bottleneck is the storage figure closest to its ceiling; nil if no ceiling is known.
type Bottleneck struct {
	Title   string
	Ceiling *Ceiling
}

// Heat is what full load does to a machine.
type Heat struct {
	Rise, Load Figure
	Throttles  *Figure // nil where the machine does not count them
}

// Converged are the figures known to the requested precision.
type Converged struct{ Known }

// NotConverged are the remaining figures.
type NotConverged struct{ Known }

// Suggested is what a finding or an absence suggests.
type Suggested struct{ Advice string }

// QuickRun means that the run was too short to settle an argument.
type QuickRun struct{}

// Returning is a host that may be back.
type Returning struct{ Away }

// NoneStandsOut means that no host stands out in any of Rows rows, and that all hosts are
// alike in Alike of them: within 15 % of the median or, in the metrics of Near, by a
// difference that is too small to matter.
type NoneStandsOut struct {
	Rows, Alike int
	Near        []Near
}

// Near is a metric in which figures are alike although some are not within 15 % of the
// median: those differ from it by less than Within.
type Near struct {
	Metric string
	Within float64
}

// Liken is how to make a host like the others.
type Liken struct{ Host, Remedy string } // with {host}

// Mend is how to fix an outlier.
type Mend struct{ Outlier }

// SingleReadings means that outliers rest on single readings.
type SingleReadings struct{}

// Compared is a column of tiers compared with the base.
type Compared struct {
	Column, Base string
	Ways         []Range  // in which it differs
	Same, Open   []string // titles
}

// More counts what a verdict leaves out: outlier, tier, limit, curve.
type More struct {
	N    int
	What string
}
