package audit

// Every limit of every rule. Each says where it comes from; what is called
// chosen was set so that a well-run test stays silent.

// Interfaces: rules 1 to 4.
const (
	// Above this share of a PCIe link a figure is suspect: a TLP carries 128 to
	// 256 bytes of payload behind 20 to 28 bytes of framing and headers, which
	// leaves 82 to 92 % of the encoded rate on older root ports.
	busSuspect = .90
	// From 16 GT/s on platforms move 512 bytes a TLP: drives are rated at
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

// A virtual disk that the hypervisor caches is faster than its storage where it is this
// much faster than one past the cache: chosen, above what two runs differ by. Rule 64.
const pastTheCache = 1.25

// Drives' own word on themselves: rules 49, 90 and 94 to 96.
const (
	// Above its warning temperature for more than this share of its time powered
	// on, a drive is not just hit by a heat wave: chosen.
	hotShare = .01
	// A plug that was pulled under load leaves a few damaged transfers: chosen.
	fewCRC = 10
	// Losses of power without notice that nobody causes by hand: chosen.
	manyLosses, lossesPerHour = 100, 10
	// Beyond what disks and most SSDs may reach, in °C.
	hotOnce = 70
)

// Absolute limits: rule 93.
const (
	// Bandwidth and operations are printed with three digits: their ratio is a
	// power of two within this.
	blockRounding = .03
	// A buffered write that memory took lasts some microseconds; where the page
	// cache has to wait for the drive the mean is above this: chosen.
	cachedWrite = 10e-6 // s
	// A random read from a block device: the fastest there was, of Optane, took 5 to 6 µs
	// and more with the kernel's part in it (Intel's brief of the P5800X, 2020).
	cachedRead = 5e-6 // s
	// A write of a block device: the fastest there are, of Optane and of caches with
	// power-loss protection, take 8 µs and more with the kernel's part in it: chosen.
	quickWrite = 8e-6 // s
	// A port that few homes exceed, and any two processes of one host do: in B/s.
	commonPort = 25e9 / 8
)

// Runs that were cut off: rule 91.
const (
	enoughRun  = 30.0 // s, as of too-short
	enoughFlow = 5.0  // s, by which TCP has found its rate: chosen; of too-short as well
	// What is lost of the end by stopping the clock by hand is no part of a run.
	almostAll = .95
)

// Memory: rule 13.
const (
	// Buffers of less than this many last-level caches are partly served from
	// them: at 4, three quarters of an even walk must miss.
	cacheMultiple = 4
	// No CPU that these tools run on has less data cache than this: it is what
	// the first level of the smallest ones holds.
	leastCache = 16 << 10
)

// The device's own counters: rule 15.
const (
	// Less than this share of the bytes at the device means that the rest never
	// got there. 5 % is for what is in flight when the counters are read.
	reachedDevice = .95
	// More than this means that something multiplies them: journal, parity,
	// copy-on-write, read-ahead.
	amplified = 1.20
	// Excess bytes that are not worth a word: what a quiet system does besides.
	excessNoise = 4 << 20
	// Of operations, where the bytes were not printed: fewer than half of the
	// direct ones is clearly less; a thousand more than claimed is what a quiet
	// system does besides.
	reachedOperations = .5
	excessOperations  = 1000
	// The most that one command moves: 65,535 sectors of 512 B (ATA, 48 bits).
	largestRequest = 32 << 20
	// Blocks of up to this size no device has split into several commands: the
	// smallest limit that Linux sets is 120 KiB (old USB bridges).
	neverSplit = 64 << 10
	// A synchronous write of one block takes the block, a descriptor and a commit
	// block of the journal with it: up to this many times the bytes are normal.
	syncAmplified = 4.0
)

// Caches: rules 17 and 18.
const (
	// A buffered file must be at least this many times RAM, or half of it may
	// never be read from the drive.
	ramMultiple = 2
	// A file of less than this share of what was planned, and of less than a
	// gibibyte, may fit the cache of a drive: chosen. Drives have up to 1 GiB of
	// RAM for each TiB.
	plannedShare = .25
	smallFile    = 1 << 30
	// Devices that write slower than this (B/s), cards and sticks, have next to
	// no cache.
	slowDevice = 30e6
)

const (
	// Objects that are read this often come from memory for the most part: chosen.
	rereadTimes = 3
	// Of larger files, which not every memory holds, one looks from here on: chosen.
	rereadMany = 10
	// A file of up to this size fits in the memory of every drive that has some: disks and
	// SATA SSDs of the last fifteen years have 64 MiB and more.
	driveHolds = 64 << 20
	// A file of up to this size fits in the memory of any server or PC sold in the
	// last ten years, beside all else: chosen.
	alwaysFits = 1 << 30
)

// Consistency of what one tool printed: rules 20 to 26.
const (
	// Little's law holds exactly over a run that starts and ends empty; what is
	// left is the tool's own time between two operations.
	littleWarn     = .05
	littleWarnSlow = .10 // below slowIOPS few operations are in a run, and its ends weigh more
	littleReject   = .20
	slowIOPS       = 500
	// What a tool does between two operations at depth 1 (clocks, offsets,
	// accounting) is not in its latency: up to this many seconds are normal.
	littleOverhead = 3e-6
	// Bandwidth and IOPS are two prints of one count: what they differ by beyond
	// rounding is .5 % at most (the last second is cut differently).
	bwSlack = .005
	// How near a ratio must be to a power of 1.024 to be called a mix-up of
	// units.
	unitMixUp = .002
	// A bandwidth that is a whole number of a unit is taken to be printed in it
	// from this many of them on: nobody prints 1 GiB/s for 1.4.
	fewestDigits = 10
	// fio's histogram has 64 bins an octave: a percentile is the middle of its
	// bin, and may be half of 1/64 above the greatest value.
	histogramError = 1.0 / 128
	// A completion latency is part of the total one: both are means of the same
	// operations, printed with two decimals.
	clockSlack = .01
	// A percentile is supported where at least one sample lies beyond it with
	// this probability: p^n <= 1 - .95.
	supportMiss = .05
	// A printed share is rounded to .01 %: each bucket may be off by half of it.
	bucketRounding = .005 / 100
	// fio prints a bucket that is not empty as at least .01 %.
	bucketFloor = .01 / 100
	// Neighbouring deciles in the middle of one hump are close together: 1.5 is
	// chosen; a lognormal with sigma 1 has 1.37 at most between p20 and p80.
	humpGap = 1.5
	// How much wider that gap must be than its neighbours, as logarithms and as
	// differences: chosen. A lognormal has at most 1.3 there, whatever its sigma is,
	// and an even spread 1.
	humpApart = 2.0
	// An even spread from zero on has 1.5 between p20 and p30, a lognormal with sigma 3 has
	// 2.6: beyond this there is a gap, however wide the hump above it is. Chosen.
	humpFar = 4.0
	// A mean this far from the median is pulled there by other operations: chosen.
	meanApart = 1.25
	// Of fewer operations a tenth is less than ten: their deciles are chance.
	humpOperations = 100
	// An operation's size up to which what each operation costs keeps a load from
	// being a stream of bytes: chosen.
	smallBlock = 64 << 10
	// What a share of operations at depth 1 must be to be all of them: prints
	// are rounded to .1 %.
	allOperations = .999
)

// Flushes: rules 29 and 30.
const (
	assumedRPM = 7200
	fastestRPM = 15000 // no disk turns faster
	// Rotation is regulated to better than 1 %; the rest is for a short run.
	rotationSlack = 1.05
	// Flash takes longer than this to program a page: a flush that returns
	// earlier was acknowledged from RAM, which is right only with power-loss
	// protection.
	fastestFlush = 100e-6
	// What returns earlier never left the kernel: chosen.
	shortestFlush = 1e-6
	// A ping takes a little longer than what it measures: the other end wakes a
	// process for neither.
	roundTripSlack = .9
	// A flush that takes longer than this is a drive that writes its cache out.
	slowFlush = .5e-3
)

// Over time: rules 31 to 35.
const (
	cliffDrop     = .70 // of the early median: chosen
	cliffSamples  = 15  // seconds
	cliffSide     = 3   // seconds on each side of it
	steadySamples = 25  // five for each of the five windows
	trendLevel    = .05 // of the Mann-Kendall test over the repeats: the usual one
	// A repeat of less than this is called shorter than a second: tools print
	// 0.999 for 1.
	shortestRepeat = .95
	// A quick look of a second counts its passes alone, not the time between
	// them: half of it is chosen.
	shortestQuick = .5
	shortestTotal = 30.0 // s; with shortestRepeat: tools print 29.99 for 30
	covRepeats    = 3
	covWarn       = .05
	covReject     = .25
	// The samples inside one run are of half a second or a second. In a second a
	// drive writes its metadata, collects garbage, and meets another zone: samples
	// of a healthy one scatter twice as much as whole repeats. Beside that they
	// count operations: n of them at random scatter by 1/sqrt(n), which is taken
	// off.
	sampleWarn  = .10
	leastSample = 10 // samples
	// Neighbouring seconds are alike: this many are taken for one: chosen.
	sampleRun = 10
	// A mean known to this share describes the run, however much its seconds vary,
	// and known to the smaller one is as good as any: chosen.
	meanWell, meanVeryWell = .05, .01
	// The fastest of so many samples that scatter about one mean is two deviations above
	// it and more, and of an even spread 1.7; of two speeds it is nearer: chosen.
	levelSamples, levelReach = 50, 1.5
	// Samples that are worth less than this share of their number are worth a
	// word.
	worthHalf = .5
)

// The machine: rules 36 to 39.
const (
	equilibriumSlope = .2 // °C/min
	// Sensors step by 1 °C: a slope is believed from two steps and a minute on.
	slopeSpan = 60.0
	slopeRise = 2.0
	// The least number of repeats that can follow a trend: five in order are
	// chance once in sixty times, four once in twelve.
	warmingRepeats = 5
	// A clock that falls below this share of its own under load, on a CPU hotter
	// than this (°C), is held back: chosen. Boards throttle from 80 °C on.
	clockFall = .90
	soakHot   = 70.0
	// The clock takes up to this many seconds to answer the load.
	soakStart   = 2.0
	soakSamples = 3   // in each third
	soakIdle    = "5" // s before the load, where the trial does not say
	// Three time constants reach 95 % of the way to the sustained limit.
	turboMultiple = 3
	// The common default of tau for the long power limit of Intel processors;
	// boards set others.
	assumedTurbo = 28.0
	clockCoV     = .03
	clockTicks   = 5
	stealLimit   = .01
	foreignCPU   = .05
	foreignBytes = .02
	// Where the CPU time of others is not known: a tool that leaves half of the CPUs
	// idle rarely has tasks wait for one, and with these more than a tenth of the
	// time somebody else's do. Chosen.
	waitedForCPU = .10
	halfOfCPUs   = .50
)

// ZFS: rules 57 and 58, both chosen.
const (
	fewFromARC = .05 // a share of the reads that changes no figure by more than its spread
	recordMany = 2   // a record over a write, from which each write costs clearly more
)

// The state of the host: rules 54 to 56. All are chosen.
const (
	// A few throttled periods are those of the tool's start.
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
	stallAlone            = 2.0         // s, where there is no mean
	stallShare            = .25         // of the mean, in one second
	stallSeconds          = 10.0        // s that a run has at least
)

// skewedMean is how many medians a mean may be, and a deviation of means: rule skewed.
const skewedMean = 3.0

// With one in a hundred that takes ten means, and so makes a tenth of the mean at least, a
// mean of two medians is pulled as well: rule skewed; chosen.
const skewedTail, tailMeans = 2.0, 10.0

// Rule samples-total: how many times apart the samples and the run may be.
const samplesApart, samplesFar = 1.1, 1.5

// sampleWindow is the time of one of fio's samples, in s: fio(1), bwavgtime.
const sampleWindow = .5

// Rule rate-limited: chosen; see there.
const (
	pacedLatency = 1e-3 // s
	pacedSpread  = 1.15 // p99 / p1
	pacedMiddle  = 1.06 // p90 / p10
	udpDefault   = 1 << 20
	askedSlack   = .05
	sameRate     = .05
	sameBoth     = .005 // reads against writes of runs of their own: by chance that is one in a hundred
	sameWide     = .10
	halfAsFast   = .5 // a larger block against a smaller one
)

// memoryAtHome is what a home server's memory mostly holds, in B: rule unflushed.
const memoryAtHome = 16 << 30

// busyJob is the share of a CPU from which it is the limit: rule client-saturated; chosen.
const busyJob = .95

// Rule overloaded: both chosen.
const (
	queuedLong = .5 // s
	queuedMany = 16 // rados bench has as many unless told otherwise
)

// submitting is the share of its time that a job may spend in submitting: rule
// submission-bound; chosen.
const submitting = .8

// atOnce is the share of its latency below which a completion is none: rule
// submission-bound; chosen.
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

// Rule smart-wear: makers promise 300,000 load cycles (desktop and NAS disks) or 600,000
// (notebooks and data centres); a disk that parks every two minutes is told to: chosen.
const (
	ratedCycles = 300_000
	manyCycles  = 100_000
	cyclesEvery = 120.0 // s
)
