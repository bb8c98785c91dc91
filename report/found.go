package report

import "assay/analysis"

// What the analysis found is in a Document as it is.

// Section is analysis.Section.
type Section = analysis.Section

// Row is analysis.Row.
type Row = analysis.Row

// Figure is analysis.Figure.
type Figure = analysis.Figure

// Ceiling is analysis.Ceiling.
type Ceiling = analysis.Ceiling

// Footnote is analysis.Footnote.
type Footnote = analysis.Footnote

// Away is analysis.Away.
type Away = analysis.Away

// Among is analysis.Among.
type Among = analysis.Among

// Published is analysis.Published.
type Published = analysis.Published

// Side is analysis.Side.
type Side = analysis.Side

// SideTable is analysis.SideTable.
type SideTable = analysis.SideTable

// SideRow is analysis.SideRow.
type SideRow = analysis.SideRow

// SideCell is analysis.SideCell.
type SideCell = analysis.SideCell

// Matrix is analysis.Matrix.
type Matrix = analysis.Matrix

// Outlier is analysis.Outlier.
type Outlier = analysis.Outlier

// Lack is analysis.Lack.
type Lack = analysis.Lack

// Scaling is analysis.Scaling.
type Scaling = analysis.Scaling

// ScalingPoint is analysis.ScalingPoint.
type ScalingPoint = analysis.ScalingPoint

// Known is analysis.Known.
type Known = analysis.Known

// Imprecise is analysis.Imprecise.
type Imprecise = analysis.Imprecise

// Tiers is analysis.Tiers.
type Tiers = analysis.Tiers

// TierColumn is analysis.TierColumn.
type TierColumn = analysis.TierColumn

// TierTable is analysis.TierTable.
type TierTable = analysis.TierTable

// TierRow is analysis.TierRow.
type TierRow = analysis.TierRow

// TierCell is analysis.TierCell.
type TierCell = analysis.TierCell

// TierBind is analysis.TierBind.
type TierBind = analysis.TierBind

// TierLimit is analysis.TierLimit.
type TierLimit = analysis.TierLimit
