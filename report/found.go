package report

import "assay/analysis"

// Section and its like are in a Document as the analysis found them.
type (
	Section      = analysis.Section
	Row          = analysis.Row
	Figure       = analysis.Figure
	Ceiling      = analysis.Ceiling
	Footnote     = analysis.Footnote
	Away         = analysis.Away
	Among        = analysis.Among
	Published    = analysis.Published
	Side         = analysis.Side
	SideTable    = analysis.SideTable
	SideRow      = analysis.SideRow
	SideCell     = analysis.SideCell
	Matrix       = analysis.Matrix
	Outlier      = analysis.Outlier
	Lack         = analysis.Lack
	Scaling      = analysis.Scaling
	ScalingPoint = analysis.ScalingPoint
	Known        = analysis.Known
	Imprecise    = analysis.Imprecise
	Tiers        = analysis.Tiers
	TierColumn   = analysis.TierColumn
	TierTable    = analysis.TierTable
	TierRow      = analysis.TierRow
	TierCell     = analysis.TierCell
	TierBind     = analysis.TierBind
	TierLimit    = analysis.TierLimit
)
