package report

// For tests of documents built from runs.
var (
	Summary       = summary
	MatrixName    = matrixName
	MatrixHeading = matrixHeading
	ShareOfAlone  = shareOfAlone
)
