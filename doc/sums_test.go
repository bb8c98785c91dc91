package doc_test

// wording is how a rule words its arithmetic, and what must then hold. In words, #
// stands for a quantity, ~ for a sum of quantities, * for other words or none, ** for
// anything; in holds, $1 is the first # or ~. A ~ is followed by its result: that
// equation must hold as well.
type wording struct {
	words string
	holds []string
}

// Wordings used by several rules.
const (
	againstSum = "# against ~ = #: # x"
	leftOut    = " that * for each answer; the slowest took #, during which each left out ~ = # requests"
)

var overSum = []string{"$1 / $3 = $4"}

// sums maps each rule to its wordings. Those without conditions state a figure
// or a fact, and contain no sum.
var sums = map[string][]wording{
	"agg-moments":          {{"* clients: ~ = # sigma", nil}},
	"arc-reads":            {{"# blocks read, # from drives: # from memory", []string{"1 - $2 / $1 = $3"}}},
	"autocorr":             {{"# samples with rho # are worth #", []string{"$1 x (1 - $2) / (1 + $2) = $3"}}},
	"bdp-window":           {{"# against ~ = #, of a ceiling of #", []string{"$1 / $3 < 1.1", "0.9 < $1 / $3", "$1 < 0.95 x $4"}}},
	"beyond-any":           {{"* to *", nil}, {"# against any *, #: # x", []string{"$2 < $1", "$1 / $2 = $3"}}, {"half completed in #, against the # of *", []string{"$1 < $2"}}, {"# a random read, against #", []string{"$1 < $2"}}, {"# an operation, buffered, with no flush", []string{"$1 < 10 µs"}}, {"# an operation, not direct as far as is known, against #", []string{"$1 < $2"}}, {"# against a port of #: # x", []string{"$1 / $2 = $3", "$2 < $1"}}},
	"bimodal":              {{"p* = #, p* = #: # x", []string{"$2 / $1 = $3"}}},
	"bucket-sum":           {{"# buckets add up to #, more than # from 100", []string{"$3 < sqrt(($2 - 1) x ($2 - 1))"}}},
	"bw-iops-bs":           {{againstSum, overSum}},
	"cache-state":          {{"a * of # with # available*", []string{"$2 < $1"}}, {"a read of data written or read before, caches not dropped", nil}, {"reads of the # that the same test had written before", nil}, {"# reads of the # objects that were written before: # a piece (# in all)", []string{"$1 / $2 = $3"}}},
	"ceph-ceiling":         {{againstSum, overSum}, {"# against ~ = #; ~ = #; ~ = #: # of the least", []string{"$1 / least($3, $5, $7) = $8"}}, {"# against ~ = #; ~ = #; ~ = #; ~ = #: # of the least", []string{"$1 / least($3, $5, $7, $9) = $10"}}},
	"client-saturated":     {{"#, #, # clients: #, #, # MB/s at #, #, # ms", []string{"1.1 x $4 < $5", "1.1 x $5 < $6", "$8 < 1.1 x $7", "$9 < 1.1 x $7"}}, {"# of *, against #", []string{"$2 < $1"}}},
	"clock-skew":           {{"jitter # in a test of #", []string{"$2 < $1"}}, {"clocks # apart against a tenth of #", []string{"$2 / 10 < $1"}}},
	"compressible":         {{"source zero on **", nil}, {"one byte repeated, on *", nil}},
	"coordinated-omission": {{"a closed loop", nil}, {"p# = # of * that * for each answer", nil}, {"p# = # of *" + leftOut, []string{"$3 / $3 < 1", "$2 < $3"}}},
	"cov":                  {{"~ = # over *", nil}},
	"cpu-fingerprint":      {{"* over the mean of # others: CPU #; *", nil}},
	"cpu-quota":            {{"throttled in # of # periods = # at worst, # of waiting on all CPUs; median #; over #", []string{"$1 / $2 = $3", "$6 < $5", "$5 < $3"}}},
	"device-reconcile":     {{"# at * against # that the tool *: # x", []string{"$1 / $2 = $3"}}, {"* did # * for # operations: # each", []string{"$1 / $2 = $3"}}},
	"direct-not-honoured":  {{"direct=1 on *", nil}, {"file system: *", nil}},
	"dram-ceiling":         {{againstSum, overSum}},
	"drbd-floor":           {{"# against a round trip of #: # x", []string{"$1 / $2 = $3"}}, {"# against the drive alone with #: # x", []string{"$1 / $2 = $3"}}},
	"endurance":            {{"# of # = # against # used: # apart", []string{"$1 / $2 = $3", "$3 - $4 = $5"}}},
	"endurance-used":       {{"# at the start, # at the end: # = # of its rated #", []string{"$2 - $1 = $3", "$3 / $5 = $4"}}},
	"extent-state":         {{"# of # had been written before and the run wrote #: after # of it the blocks were new", []string{"$1 / $3 = $4", "$1 < $2"}}},
	"file-lt-ram":          {{"a file of #, buffered, against ~ = #", []string{"$1 < $3"}}, {"# read out of a file of #: # times over, *", []string{"$1 / $2 = $3"}}, {"# read and written in a file of #: # times over", []string{"$1 / $2 = $3"}}},
	"flush-too-fast":       {{"# against ~ = # revolutions/s: # x", overSum}, {"# against ~ = # half revolutions/s: # x", overSum}, {"# against a round trip of # to the next replica", []string{"$1 < $2"}}, {"# against the # that flash takes to program a page", []string{"$1 < $2"}}, {"# flushes against # writes a second: # x", []string{"$1 / $2 = $3", "$2 < $1"}}},
	"governor":             {{"governor *", nil}},
	"hypervisor-cache":     {{"*: cache=*; # at * against # that the tool *: # from memory", []string{"1 - $1 / $2 = $3"}}},
	"interrupted":          {{"ran #: *", nil}, {"ran # of #: *", []string{"$1 < $2"}}, {"ran #, # of the work: *", []string{"$2 < 100 %"}}, {"ran #: FATAL**", nil}, {"ran for an unknown time: *", nil}},
	"jobs-overlap":         {{"# jobs of * on one file, each from its beginning", []string{"2 < $1"}}},
	"lacp-single-flow":     {{"# stream over # x #: at most # of #", []string{"$1 x $3 = $4", "$2 x $3 = $5"}}},
	"little":               {{"~ = # in flight against ~ = #: # x", []string{"$2 / $4 = $5"}}},
	"mem-working-set":      {{"~ = # against ~ = #", []string{"$2 < $4"}}, {"# shared by all threads against ~ = #", []string{"$1 < $3"}}},
	"memory-short":         {{"median # swapped in and # out a repeat", nil}, {"median # swapped in and # out a repeat; all tasks stalled on memory # of the time (median); threshold #", []string{"$4 < $3"}}},
	"migration-average":    {{"# reported against ~ = #: #; it is # / #", []string{"$1 / $3 - 1 = $4", "$5 / $6 = $1"}}, {"# against a limit of #: # x", []string{"$1 / $2 = $3", "$2 < $1"}}},
	"nearly-full":          {{"# of # free = # against #", []string{"$1 / $2 = $3", "$3 < $4"}}},
	"nic-ceiling":          {{againstSum, overSum}},
	"nic-slot":             {{"ports " + againstSum, overSum}, {"ports ~ = # against ~ = #: # x", []string{"$2 / $4 = $5", "$4 < $2"}}},
	"nic-underuse":         {{againstSum, overSum}},
	"no-plp":               {{"p50 = # with a write back cache", nil}},
	"noisy-neighbour":      {{"stolen # of # of CPU time = #", []string{"$1 / $2 = $3"}}, {"other processes used # of # of CPU time = # at worst, median #; over #", []string{"$1 / $2 = $3", "$5 < $4"}}, {"tasks waited for a CPU for # of the time (median), over #, while the tool used less than half of the CPU time", []string{"$2 < $1"}}},
	"order-effect":         {{"after * the figure is # x that after other trials **", nil}, {"from the first repeat to the last the figure becomes # x **", nil}},
	"pairs-missing":        {{"# of ~ = # directed pairs", []string{"$1 < $3"}}},
	"pcie-ceiling":         {{againstSum, overSum}},
	"pct-order":            {{"p* = # against p* = #", []string{"$2 < $1"}}, {"mean completion latency # against a mean total latency of #: # x", []string{"$1 / $2 = $3"}}, {"mean # against at most # by the percentiles and the maximum of #", []string{"$2 < $1"}}},
	"pct-support": {
		{"p# needs # operations; a repeat had #", []string{"needs($1) = $2", "$3 < $2"}},
		{"p# needs # operations, p# needs # operations; a repeat had #", []string{"needs($1) = $2", "needs($3) = $4", "$5 < $2"}},
		{"p# needs # operations, p# needs # operations, p# needs # operations; a repeat had #", []string{"needs($1) = $2", "needs($3) = $4", "needs($5) = $6", "$7 < $2"}},
		{"p# needs # requests, there were #", []string{"needs($1) = $2", "$3 < $2"}},
		{"p# needs # requests, there were ~ = #", []string{"needs($1) = $2", "$4 < $2"}},
	},
	"qd-capped":         {{"iodepth=# under *: # in flight", []string{"$2 < $1"}}},
	"rados-consistency": {{"least bandwidth ~ = # operations/s against # printed: # x", []string{"$3 / $2 = $4"}}},
	"rated-exceeded":    {{"# against * rated #: # x", []string{"$1 / $2 = $3", "$2 < $1"}}},
	"ratio-restated":    {{"~ = # x*, ~ = # x", []string{"$2 / $4 < 1.1", "0.9 < $2 / $4"}}, {"~ = # x*, ~ = # x; # pairs in all", []string{"$2 / $4 < 1.1", "0.9 < $2 / $4"}}},
	"retransmits":       {{"# of # segments after the first #: #", []string{"$1 / $2 = $4"}}, {"# of # segments in all: #", []string{"$1 / $2 = $3"}}},
	"s3-floor":          {{"~ = # in flight", nil}, {againstSum, overSum}},
	"sata-usb-ceiling":  {{"# against usb 480 Mb/s = #: # x", []string{"13 x 512 B/s x 8,000 = $2", "$1 / $2 = $3"}}, {againstSum, overSum}},
	"sd-emmc-ceiling": {
		{"# against emmc DDR52 = #: # x", []string{"52 MB/s x 2 x 8 / 8 = $2", "$1 / $2 = $3"}},
		{"# against sd DDR50 = #: # x", []string{"50 MB/s x 2 x 4 / 8 = $2", "$1 / $2 = $3"}},
	},
	"slc-cliff":  {{"# for the first #, # after: # x", []string{"$3 / $1 = $4"}}},
	"smart-heat": {{"# minutes above the * temperature", nil}, {"# °C at some time", []string{"70 < $1"}}, {"# times into thermal management, for # minutes", nil}, {"# times into thermal management, # of # powered on: #", []string{"$2 / $3 = $4"}}},
	"smart-link": {{"# CRC error*", nil}},
	"smart-media": {
		{"# media errors", nil}, {"# media error", nil}, {"# media error* (read #, write #)", []string{"$2 + $3 = $1"}}, {"# media error* (pending #)", []string{"$2 = $1"}}, {"# media error* (reported #)", []string{"$2 = $1"}}, {"# media error* (pending #, offline #)", []string{"$1 < $2 + $3"}},
		{"self-assessment: *; a healthy drive reports #*", nil}, {"# reallocated sector*", nil}, {"# grown defect*", nil},
		{"spare blocks # of #", []string{"$1 < $2"}}, {"spare blocks #, below the drive's threshold of #", []string{"$1 < $2"}},
	},
	"smart-warning":    {{"* #, threshold #", []string{"$1 < $2"}}, {"# of # self-tests failed, *", []string{"$1 < $2"}}, {"non-medium errors: #", nil}, {"a self-test failed", nil}, {"at or below its threshold in the past: *", nil}},
	"smart-wear":       {{"# used", []string{"100 % < $1"}}, {"# load cycles in #: one in #", []string{"$2 / $1 = $3"}}, {"# load cycles against #", []string{"$2 < $1"}}},
	"steady-state":     {{"#, #, #, #, #: range # (at most #), slope # (at most #)", nil}, {"#, #, #, #, # (repeats): range # (at most #), slope # (at most #)", nil}, {"#, #, #, #, # (windows of the samples): range # (at most #), slope # (at most #)", nil}},
	"thermal":          {{"# throttling event*", nil}},
	"too-short":        {{"~ = # against #", []string{"$2 < $3"}}, {"ran # against #", []string{"$1 < $2"}}, {"the shortest repeat ran #", []string{"$1 < 1 s"}}},
	"tool-bug":         {{"fio*", nil}, {"iperf3*", nil}, {"the percentiles end at #, the slowest took #", []string{"$1 < $2"}}},
	"tool-limits":      {{"*.* #*", nil}, {"+++++ for **", nil}, {"one report", nil}, {"hdparm -T: # of cached reads", nil}},
	"turbo-window":     {{"# against ~ = #", []string{"$1 < $3"}}},
	"udp-loss":         {{"# of the datagrams lost at #", []string{"1 % < $1"}}},
	"unlike":           {{"*: * against *", nil}, {"*: * against *; *: * against *", nil}},
	"zfs-record":       {{"writes of # on records of #: # x", []string{"$2 / $1 = $3"}}},
	"stall":            {{"the slowest took #, # x the mean of #", []string{"$1 / $3 = $2"}}, {"the slowest took #", []string{"2 s < $1"}}, {"one submission took #", []string{"1 s < $1"}}, {"the slowest second did # of the mean of #: #", []string{"$1 / $2 = $3"}}},
	"skewed":           {{"a mean of # against a median of #: # x", []string{"$1 / $2 = $3"}}, {"a deviation of # against a mean of #: # x", []string{"$1 / $2 = $3"}}, {"a mean of # against a p# of #: # x", []string{"$1 / $3 = $4"}}},
	"samples-total":    {{"the samples average #, the whole run #: # x", []string{"$1 / $2 = $3"}}},
	"rate-limited":     {{"p* = #, p* = #: # x", []string{"$2 / $1 = $3"}}, {"# of the # x # that it was told to send: #", []string{"$1 / ($2 x $3) = $4"}}, {"from 64 KiB on # to #: # x", []string{"$2 / $1 = $3"}}, {"# read, # written: # x", []string{"$1 / $2 = $3"}}, {"# in blocks of #, # of #: # x", []string{"$1 / $3 = $5", "$4 < $2"}}},
	"unflushed":        {{"# written to the page cache and never flushed", nil}},
	"link-below":       {{"*: #, supports #", []string{"$1 < $2"}}, {"*: * of *", nil}},
	"redundancy":       {{"*: *", nil}},
	"other-command":    {{"* * in the command, * in the output", nil}},
	"overloaded":       {{"# in flight, # each: one done every #", []string{"$2 / $1 = $3"}}},
	"submission-bound": {{"~ = # in submission, of # job", []string{"0.8 x $3 < $2"}}, {"~ = # in submission, of # jobs", []string{"0.8 x $3 < $2"}}},
	"piecemeal":        {{"# blocks of # in #: # each", []string{"$3 / $1 = $4"}}, {"# a write at #: # each", []string{"$1 / $2 = $3"}}},
	"unfair":           {{"# of # events a thread: #", []string{"$1 / $2 = $3"}}, {"from # to #: # x", []string{"$2 / $1 = $3"}}},
	"jobs-missing":     {{"# of # jobs", []string{"$1 < $2"}}},
	"depth-idle":       {{"# IOPS with # in flight against # with #: # x", []string{"$1 / $3 = $5", "8 x $4 < 1.01 x $2"}}},
	"drifts":           {{"# at the start, # at the end: # x", []string{"$2 / $1 = $3"}}},
	"copied":           {{"from * to *", nil}},
	"repeats-apart":    {{"# runs from # to #: # x", []string{"$3 / $2 = $4"}}},
	"mac-disk":         {{"*=*", nil}},
	"below-any":        {{"# against #: # x", []string{"$1 / $2 = $3", "$1 < $2"}}},
}
