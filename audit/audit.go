package audit

import (
	"slices"

	"assay"
	"assay/internal/order"
)

// Rule is one check that a number must pass before anyone believes it.
type Rule struct {
	ID         string // as in findings, and the name of its file
	Number     int    // stable, for citing; numbers are never used twice
	Applies    string // the tools or figures it looks at
	Severities string // what it can say: "E", "E W"
	Title      string // in a few words
	Formula    string // what is computed, and when it fires
	Source     string // where the formula and its limit come from
	Example    string // the sum of a real case, written out
	// Check is pure and total: it returns what it finds in any evidence, and
	// never panics, whatever is missing.
	Check func(Evidence) []assay.Finding
}

// Rules returns all rules, by number.
func Rules() []Rule {
	return []Rule{
		pcieCeiling, sataUSBCeiling, sdEMMCCeiling, ratedExceeded,
		nicCeiling, nicUnderuse, nicSlot, lacpSingleFlow, bdpWindow, retransmits, pairsMissing,
		dramCeiling, memWorkingSet, cpuFingerprint,
		deviceReconcile, directNotHonoured, fileLtRAM, cacheState, compressible,
		little, qdCapped, bwIOPSBs, pctOrder, pctSupport, bucketSum, bimodal,
		extentState, jobsOverlap, flushTooFast, noPLP, slcCliff,
		steadyState, tooShort, cov, autocorr,
		thermal, turboWindow, governor, noisyNeighbour,
		clientSaturated, cephCeiling, drbdFloor, radosConsistency, aggMoments,
		s3Floor, coordinatedOmission, clockSkew, migrationAverage,
		smartMedia, endurance, unlike, ratioRestated, orderEffect,
		cpuQuota, memoryShort, nearlyFull, arcReads, zfsRecord, hypervisorCache,
		toolLimitsRule,
		smartHeat, interrupted, toolBug, beyondAny, smartWarning, smartLink, smartWear, enduranceUsed, udpLoss,
		stall, skewed, samplesTotal, rateLimited, unflushed, linkBelow, redundancy, otherCommand,
		overloaded, submissionBound, piecemeal, unfair, jobsMissing, copied, belowAny, depthIdle, drifts, repeatsDiffer, macDisk,
	}
}

// Audit applies every rule. Findings that reject come first, then warnings, then
// information, then what could not be checked; within each, by rule number and then
// in the order of the results. A rule that lacks a fact reports that once per
// subject, and once for all of other people's results that lack the same fact: then
// Everything is the subject.
func Audit(e Evidence) []assay.Finding {
	e.ready = e.looked()
	type about struct{ rule, subject string }
	unchecked := map[about]bool{}
	var all []assay.Finding
	for _, rule := range Rules() {
		for _, f := range rule.Check(e) {
			if f.Severity == assay.NotChecked {
				if unchecked[about{f.Rule, f.Subject}] {
					continue
				}
				unchecked[about{f.Rule, f.Subject}] = true
			}
			all = append(all, f)
		}
	}
	all = sayOnce(e, all)
	order.Stable(all, func(a, b assay.Finding) int { return rank(a.Severity) - rank(b.Severity) })
	return all
}

func rank(s assay.Severity) int {
	return slices.Index([]assay.Severity{assay.Rejects, assay.Warns, assay.Informs, assay.NotChecked}, s)
}
