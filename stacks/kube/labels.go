package kube

import (
	"strings"

	"assay/internal/lazyregexp"
)

// The labels of everything that assay creates in a cluster.
const (
	LabelManagedBy = "app.kubernetes.io/managed-by"
	LabelRun       = "assay/run"     // the run it belongs to
	LabelTier      = "assay/tier"    // the tier that a pod measures
	LabelJob       = "assay/job"     // the Job whose pod a claim is for
	LabelReceipt   = "assay/receipt" // the journalled receipt of a namespace
	ManagedBy      = "assay"
)

// Labels returns the labels of what a run creates; tier may be "".
func Labels(run, tier string) map[string]string {
	labels := map[string]string{LabelManagedBy: ManagedBy, LabelRun: LabelValue(run)}
	if tier != "" {
		labels[LabelTier] = LabelValue(tier)
	}
	return labels
}

// OfRun returns the selector for what a run created.
func OfRun(run string) string {
	return LabelManagedBy + "=" + ManagedBy + "," + LabelRun + "=" + LabelValue(run)
}

const nameLimit = 63 // of label values, and of most names

var (
	notLabel = lazyregexp.New(`[^A-Za-z0-9_.-]+`)
	notName  = lazyregexp.New(`[^a-z0-9-]+`)
)

// LabelValue turns words into a label value: invalid characters become "-".
func LabelValue(words string) string {
	value := notLabel.ReplaceAllString(words, "-")
	return strings.Trim(value[:min(len(value), nameLimit)], "_.-")
}

// ObjectName turns words into part of an object's name, of at most limit bytes.
func ObjectName(words string, limit int) string {
	name := strings.Trim(notName.ReplaceAllString(strings.ToLower(words), "-"), "-")
	return strings.Trim(name[:min(len(name), limit)], "-")
}
