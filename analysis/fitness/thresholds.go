package fitness

// Use is what storage may be used for.
type Use string

// The uses, the most demanding first.
const (
	Etcd      Use = "etcd"
	Databases Use = "databases"
	VMDisks   Use = "VM disks"
	Images    Use = "container images"
	Backups   Use = "backups"
	Blobs     Use = "blobs"
)

// Measure is what a threshold is about.
type Measure string

// The measures. Small operations are 4 KiB, synchronous ones run at depth 1,
// sequential ones are large.
const (
	SyncWriteP99    Measure = "sync-write-p99"   // s
	SyncWrites      Measure = "sync-writes"      // per second
	RandomReads     Measure = "random-reads"     // per second
	RandomWrites    Measure = "random-writes"    // per second
	SequentialRead  Measure = "sequential-read"  // B/s
	SequentialWrite Measure = "sequential-write" // B/s
	LogFlushP99     Measure = "log-flush-p99"    // s, fdatasync after a small append to a log
	LogCommits      Measure = "log-commits"      // log writes per second, each with fdatasync
	GetLatency      Measure = "get-latency"      // s, median of small objects
	PutThroughput   Measure = "put-throughput"   // B/s, of large objects
)

// Source is where a threshold is from.
type Source struct {
	Name string `json:"name"`          // "etcd FAQ"
	URL  string `json:"url,omitempty"` // "" where Name is the whole arithmetic
}

// Threshold is what a use requires of one measure. It has one of the two
// bounds.
type Threshold struct {
	Use     Use
	Measure Measure
	Least   float64 // 0 if Most applies
	Most    float64
	// Heavy is set if only heavy use requires it.
	Heavy  bool
	Source Source
}

// The sources.
var (
	etcdFAQ      = Source{"etcd FAQ", "https://etcd.io/docs/v3.6/faq/"}
	etcdHardware = Source{"etcd hardware guide", "https://etcd.io/docs/v3.6/op-guide/hardware/"}
	// Waits beyond 10 to 15 ms are a bottleneck.
	sqlServer = Source{"SQL Server I/O guide", "https://learn.microsoft.com/en-us/troubleshoot/sql/performance/troubleshoot-sql-io-performance"}
	// The minimum for a database on a gp3 volume.
	rds = Source{"Amazon RDS gp3 baseline", "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Storage.html"}
	ebs = Source{"Amazon EBS gp3 baseline", "https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html"}
	// The minimum among the disks that Azure offers VMs.
	azure = Source{"Azure standard disks", "https://learn.microsoft.com/azure/virtual-machines/disks-types"}
	// What a card must deliver to run programs from it.
	sdClass = Source{"SD Association A1", "https://www.sdcard.org/developers/sd-standard-overview/application-performance-class/"}
	sdBest  = Source{"SD Association A2", sdClass.URL}
	night   = Source{Name: "1 TB in a night of 8 h"}
	s3      = Source{"Amazon S3 performance guide", "https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html"}
	s3Shape = Source{"one request to Amazon S3", "https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance-design-patterns.html"}
)

// aNight is 1 TB in 8 hours, in B/s.
const aNight = 1e12 / (8 * 3600)

// Storage is what uses require of block devices and file systems.
var Storage = []Threshold{
	{Use: Etcd, Measure: SyncWriteP99, Most: 10e-3, Source: etcdFAQ},
	{Use: Etcd, Measure: SyncWrites, Least: 50, Source: etcdHardware},
	{Use: Etcd, Measure: SyncWrites, Least: 500, Heavy: true, Source: etcdHardware},
	{Use: Databases, Measure: SyncWrites, Least: 100, Source: sqlServer}, // 10 ms each
	{Use: Databases, Measure: RandomReads, Least: 3000, Source: rds},
	{Use: VMDisks, Measure: RandomReads, Least: 500, Source: azure},
	{Use: VMDisks, Measure: RandomWrites, Least: 500, Source: azure},
	{Use: VMDisks, Measure: RandomReads, Least: 3000, Heavy: true, Source: ebs},
	{Use: VMDisks, Measure: RandomWrites, Least: 3000, Heavy: true, Source: ebs},
	{Use: Images, Measure: RandomReads, Least: 1500, Source: sdClass},
	{Use: Images, Measure: RandomWrites, Least: 500, Source: sdClass},
	{Use: Images, Measure: SequentialWrite, Least: 10e6, Source: sdClass},
	{Use: Images, Measure: RandomReads, Least: 4000, Heavy: true, Source: sdBest},
	{Use: Images, Measure: RandomWrites, Least: 2000, Heavy: true, Source: sdBest},
	{Use: Backups, Measure: SequentialWrite, Least: aNight, Source: night},
	{Use: Blobs, Measure: SequentialRead, Least: 85e6, Source: s3Shape},
}

// Logs is what uses require of the write that they wait for.
var Logs = []Threshold{
	{Use: Etcd, Measure: LogFlushP99, Most: 10e-3, Source: etcdFAQ},
	{Use: Databases, Measure: LogCommits, Least: 100, Source: sqlServer}, // 10 ms each
	// "Single-digit millisecond latency" is what EBS promises to VMs.
	{Use: VMDisks, Measure: SyncWriteP99, Most: 10e-3, Source: ebs},
}

// Objects is what uses require of object stores. The other uses cannot run on one.
var Objects = []Threshold{
	{Use: Backups, Measure: PutThroughput, Least: aNight, Source: night},
	{Use: Blobs, Measure: GetLatency, Most: 200e-3, Source: s3},
}
