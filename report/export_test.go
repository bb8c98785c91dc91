package report

// For the tests of documents that are built from runs.
var (
	Summary       = summary
	MatrixName    = matrixName
	MatrixHeading = matrixHeading
	ShareOfAlone  = shareOfAlone
)
