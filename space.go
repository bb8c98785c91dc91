package assay

// KeepFree is how much of a file system of size bytes is always left free, in
// bytes: 10 % of it, and at most 2 GiB.
func KeepFree(size int64) int64 { return min(size/10, 2<<30) }
