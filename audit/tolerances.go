package audit

// Every limit of every rule, each with its origin; those called chosen are set
// so that a well-run test triggers nothing.

// Interfaces: rules 1 to 4.
const (
	// A figure above this share of a PCIe link is suspect: a TLP carries 128 to
	// 256 bytes of payload behind 20 to 28 bytes of framing and headers,
	// leaving 82 to 92 % of the encoded rate on older root ports, and drives come
	// within 1 % of that.
	busSuspect = .93
	// From 16 GT/s on, platforms use TLPs of 512 bytes: drives are rated at
	// 7,450 of 7,877 MB/s, 94.6 %, and reach it.
	busSuspectFast = .96
	fastLinkGTs    = 16
	// An SD or eMMC figure above this share of its bus measures the host's slot:
	// chosen.
	slotBound = .85
	// A vendor's rating is "up to", on the vendor's machine: 10 % above it is
	// chosen as the most that a better machine could explain.
	ratedSlack = 1.10
)

// A virtual disk cached by the hypervisor counts as faster than its storage if it is
// this much faster than one past the cache: chosen, above the difference between two
// runs. Rule 64.
const pastTheCache = 1.25

// What drives report about themselves: rules 49, 90 and 94 to 96.
const (
	// A drive above its warning temperature for more than this share of its
	// power-on time did not just meet a heat wave: chosen.
	hotShare = .01
	// A connector pulled under load leaves a few damaged transfers: chosen.
	fewCRC = 10
	// More unclean power losses than anyone causes by hand: chosen.
	manyLosses, lossesPerHour = 100, 10
	// Above what disks and most SSDs are allowed, in °C.
	hotOnce = 70
)

// Absolute limits: rule 93.
const (
	// Bandwidth and operations are printed with three digits: their ratio is
	// within this of a power of two.
	blockRounding = .03
	// A buffered write absorbed by memory takes a few microseconds; if the page
	// cache has to wait for the drive, the mean is above this: chosen.
	cachedWrite = 10e-6 // s
	// A random read from a block device: the fastest drive, Optane, took 5 to 6 µs, and
	// more including the kernel (Intel's brief of the P5800X, 2020).
	cachedRead = 5e-6 // s
	// A write to a block device: the fastest, Optane and caches with power-loss
	// protection, take 8 µs, and more including the kernel: chosen.
	quickWrite = 8e-6 // s
	// A port speed in B/s that few homes exceed, but any two processes on one
	// host do.
	commonPort = 25e9 / 8
)

// Runs that were cut off: rule 91.
const (
	enoughRun  = 30.0 // s, as in too-short
	enoughFlow = 5.0  // s, by which TCP has found its rate: chosen; also in too-short
	// A run stopped by hand this close to its end counts as complete.
	almostAll = .95
)

// Memory: rule 13.
const (
	// Buffers smaller than this many last-level caches are partly served from
	// them: at 4, three quarters of a uniform walk must miss.
	cacheMultiple = 4
	// No CPU that these tools run on has less data cache: the smallest
	// first-level caches hold this much.
	leastCache = 16 << 10
)

// The device's own counters: rule 15.
const (
	// If less than this share of the bytes reaches the device, the rest never
	// got there. 5 % covers what is in flight when the counters are read.
	reachedDevice = .95
	// More than this means amplification: journal, parity, copy-on-write,
	// read-ahead.
	amplified = 1.20
	// Excess bytes not worth reporting: a quiet system's own I/O.
	excessNoise = 4 << 20
	// The same for operations, if bytes were not printed: fewer than half of
	// the direct ones is clearly too few; a thousand more than claimed is a
	// quiet system's own I/O.
	reachedOperations = .5
	excessOperations  = 1000
	// The largest single command: 65,535 sectors of 512 B (ATA, 48 bits).
	largestRequest = 32 << 20
	// No device splits blocks of up to this size into several commands: the
	// smallest limit that Linux sets is 120 KiB (old USB bridges).
	neverSplit = 64 << 10
	// A synchronous write of one block also writes a descriptor and a commit
	// block of the journal: up to this many times the bytes is normal.
	syncAmplified = 4.0
)

// Caches: rules 17 and 18.
const (
	// A buffered file must be at least this many times RAM, or half of it may
	// never be read from the drive.
	ramMultiple = 2
	// A file that was gone over up to this many times was written once, as rounded:
	// chosen.
	onceOver = 1.01
	// A file smaller than this share of the plan, and than a gibibyte, may fit
	// in a drive's cache: chosen. Drives have up to 1 GiB of RAM per TiB.
	plannedShare = .25
	smallFile    = 1 << 30
	// Devices that write slower than this (B/s), such as cards and sticks, have
	// almost no cache.
	slowDevice = 30e6
)

const (
	// Objects read this often come mostly from memory: chosen.
	rereadTimes = 3
	// The same for larger files, which not every machine's memory holds: chosen.
	rereadMany = 10
	// A file of up to this size fits in the memory of every drive that has any: disks and
	// SATA SSDs of the last fifteen years have 64 MiB and more.
	driveHolds = 64 << 20
	// A file of up to this size fits in the memory of any server or PC sold in the
	// last ten years, besides everything else: chosen.
	alwaysFits = 1 << 30
)

// Consistency of one tool's output: rules 20 to 26.
const (
	// Little's law is exact for a run that starts and ends idle; the remainder
	// is the tool's own time between operations.
	littleWarn     = .05
	littleWarnSlow = .10 // below slowIOPS a run has few operations, so its ends weigh more
	littleReject   = .20
	slowIOPS       = 500
	// A tool's work between operations at depth 1 (clocks, offsets, accounting)
	// is not in its latency: up to this many seconds is normal.
	littleOverhead = 3e-6
	// Bandwidth and IOPS are printed from one count: beyond rounding they differ
	// by at most .5 % (the last second is cut differently).
	bwSlack = .005
	// How close a ratio must be to a power of 1.024 to count as a unit mix-up.
	unitMixUp = .002
	// A bandwidth that is a whole number of a unit counts as printed in it from
	// this many on: nobody prints 1 GiB/s for 1.4.
	fewestDigits = 10
	// fio's histogram has 64 bins per octave: a percentile is the middle of its
	// bin, up to half of 1/64 above the largest value.
	histogramError = 1.0 / 128
	// A completion latency is part of the total: both are means of the same
	// operations, printed with two decimals.
	clockSlack = .01
	// A percentile is supported if the probability that no sample lies beyond
	// it is at most this: p^n <= 1 - .95.
	supportMiss = .05
	// Printed shares are rounded to .01 %: each bucket may be off by half of
	// that.
	bucketRounding = .005 / 100
	// fio prints a non-empty bucket as at least .01 %.
	bucketFloor = .01 / 100
	// Neighbouring deciles in the middle of one hump are close: 1.5 is chosen;
	// a lognormal with sigma 1 has at most 1.37 between p20 and p80.
	humpGap = 1.5
	// How much wider that gap must be than its neighbours, in logarithms and in
	// differences: chosen. A lognormal has at most 1.3 there for any sigma, and a
	// uniform distribution 1.
	humpApart = 2.0
	// A uniform distribution from zero has 1.5 between p20 and p30, a lognormal with sigma
	// 3 has 2.6: beyond this there is a gap, however wide the hump above it. Chosen.
	humpFar = 4.0
	// A mean this far from the median is pulled by other operations: chosen.
	meanApart = 1.25
	// With fewer operations a tenth is less than ten: their deciles are chance.
	humpOperations = 100
	// The largest operation size at which per-operation cost keeps a load from
	// being a pure byte stream: chosen.
	smallBlock = 64 << 10
	// The share of operations at depth 1 that counts as all of them: prints are
	// rounded to .1 %.
	allOperations = .999
)

// Flushes: rules 29 and 30.
const (
	assumedRPM = 7200
	fastestRPM = 15000 // no disk spins faster
	// Rotation is regulated to better than 1 %; the rest allows for a short
	// run.
	rotationSlack = 1.05
	// Flash takes longer than this to program a page: a faster flush was
	// acknowledged from RAM, which is correct only with power-loss protection.
	fastestFlush = 100e-6
	// Anything faster never left the kernel: chosen.
	shortestFlush = 1e-6
	// A ping takes slightly longer than what it measures: the other end wakes
	// no process for either.
	roundTripSlack = .9
	// A flush slower than this means that the drive writes out its cache.
	slowFlush = .5e-3
)

// Over time: rules 31 to 35.
const (
	cliffDrop     = .70 // of the early median: chosen
	cliffSamples  = 15  // seconds
	cliffSide     = 3   // seconds on each side of it
	steadySamples = 25  // five for each of the five windows
	trendLevel    = .05 // the usual level, of the Mann-Kendall test over repeats
	// A repeat below this counts as shorter than a second: tools print 0.999
	// for 1.
	shortestRepeat = .95
	// A one-second quick look counts only its passes, not the time between
	// them: half of it is chosen.
	shortestQuick = .5
	shortestTotal = 30.0 // s; with shortestRepeat: tools print 29.99 for 30
	covRepeats    = 3
	covWarn       = .05
	covReject     = .25
	// Samples within a run cover half a second or a second. In a second a drive
	// writes metadata, collects garbage, and reaches another zone: a healthy
	// drive's samples scatter twice as much as whole repeats. They also count
	// operations: n random ones scatter by 1/sqrt(n), which is subtracted.
	sampleWarn  = .10
	leastSample = 10 // samples
	// Neighbouring seconds are alike: this many count as one: chosen.
	sampleRun = 10
	// A mean known to within this share describes the run, however much its
	// seconds vary; known to within the smaller one, it is as good as any: chosen.
	meanWell, meanVeryWell = .05, .01
	// The fastest of so many samples around one mean is at least two deviations above
	// it, and 1.7 if they are uniform; with two speeds it is closer: chosen.
	levelSamples, levelReach = 50, 1.5
	// Samples worth less than this share of their number are reported.
	worthHalf = .5
)

// The machine: rules 36 to 39.
const (
	equilibriumSlope = .2 // °C/min
	// Sensors step by 1 °C: a slope is trusted from two steps and a minute on.
	slopeSpan = 60.0
	slopeRise = 2.0
	// The fewest repeats that can show a trend: five in order are chance once
	// in sixty times, four once in twelve.
	warmingRepeats = 5
	// A clock that falls below this share of itself under load, on a CPU hotter
	// than this (°C), is throttled: chosen. Boards throttle from 80 °C on.
	clockFall = .90
	soakHot   = 70.0
	// The clock takes up to this many seconds to respond to the load.
	soakStart   = 2.0
	soakSamples = 3   // in each third
	soakIdle    = "5" // s before the load, if the trial does not say
	// Three time constants reach 95 % of the way to the sustained limit.
	turboMultiple = 3
	// The common default tau of Intel's long-term power limit; boards set
	// others.
	assumedTurbo = 28.0
	clockCoV     = .03
	clockTicks   = 5
	stealLimit   = .01
	foreignCPU   = .05
	foreignBytes = .02
	// If the CPU time of others is unknown: a tool that leaves half of the CPUs idle
	// rarely makes tasks wait for one; if tasks wait more than a tenth of the time,
	// they are somebody else's. Chosen.
	waitedForCPU = .10
	halfOfCPUs   = .50
)

// ZFS: rules 57 and 58, both chosen.
const (
	fewFromARC = .05 // a share of reads that shifts no figure by more than its spread
	recordMany = 2   // record / write size from which each write costs clearly more
)

// The state of the host: rules 54 to 56. All are chosen.
const (
	// A few throttled periods come from the tool's start.
	quotaThrottled = .05
	memoryStalled  = .01
	leastFree      = .10
)

// Health: rule 50.
const (
	enduranceGap = .15
)

// Rule stall: chosen; see there.
const (
	stallLong, stallTimes = 1.0, 10.0   // s, and times the mean
	stallMiddle, stallMid = .15, 100.   // s, and times the mean
	stallShort, stallFar  = 50e-3, 300. // s, and times the mean
	stallAlone            = 2.0         // s, without a mean
	stallShare            = .25         // of the mean, in one second
	stallSeconds          = 10.0        // s, shortest run to judge
)

// skewedMean is the highest ratio of mean to median, and of deviation to mean: rule
// skewed.
const skewedMean = 3.0

// If one in a hundred takes ten means, and so makes up at least a tenth of the mean, a
// mean of two medians is skewed too: rule skewed; chosen.
const skewedTail, tailMeans = 2.0, 10.0

// Rule samples-total: the largest ratio between the samples and the run.
const samplesApart, samplesFar = 1.1, 1.5

// sampleWindow is the length of one fio sample, in s: fio(1), bwavgtime.
const sampleWindow = .5

// Rule rate-limited: chosen; see there.
const (
	pacedLatency = 1e-3 // s
	pacedSpread  = 1.15 // p99 / p1
	pacedMiddle  = 1.06 // p90 / p10
	udpDefault   = 1 << 20
	askedSlack   = .05
	sameRate     = .05
	sameBoth     = .005 // reads against writes of separate runs: equal by chance once in a hundred
	sameWide     = .10
	halfAsFast   = .5 // a larger block against a smaller one
)

// memoryAtHome is the usual memory of a home server, in B: rule unflushed.
const memoryAtHome = 16 << 30

// busyJob is the share of a CPU above which it is the limit: rule client-saturated;
// chosen.
const busyJob = .95

// Rule overloaded: both chosen.
const (
	queuedLong = .5 // s
	queuedMany = 16 // rados bench's default
)

// submitting is the share of its time that a job may spend in submission: rule
// submission-bound; chosen.
const submitting = .8

// atOnce is the share of the total latency below which a completion latency is
// meaningless: rule submission-bound; chosen.
const atOnce = .1

// Rule piecemeal: chosen; see there.
const (
	smallPiece  = 4 << 10  // B
	waitedPiece = 64 << 10 // B
	callPrice   = 10e-6    // s
)

// Rule unfair: chosen; see there.
const (
	unfairThreads = .10
	unfairShares  = 1.3
)

// crawling is a bandwidth in B/s that every drive exceeds: rule below-any; chosen.
const crawling = 8e6

// slowNVMe is a bandwidth in B/s that every NVMe drive exceeds on a sound link: one lane of
// PCIe 2 carries 500 MB/s, of which single-board computers reach 350 and more. Chosen.
const slowNVMe = 300e6

// Rule depth-idle: chosen.
const (
	manyDeeper = 8
	noFaster   = .15
)

// Rule drifts: chosen.
const (
	driftRows  = 8
	driftTimes = 1.3
)

// Rule udp-loss: chosen.
const (
	lossRows  = 5
	lossFirst = .9
)

// Rule repeats-apart: chosen.
const (
	leastRepeats = 3
	repeatsApart = 1.5
)

// Rule smart-wear: vendors promise 300,000 load cycles (desktop and NAS disks) or
// 600,000 (notebooks and data centres); a disk that parks every two minutes is
// configured to: chosen.
const (
	ratedCycles = 300_000
	manyCycles  = 100_000
	cyclesEvery = 120.0 // s
)
