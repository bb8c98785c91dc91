// Package multiclient defines a trial on several hosts at the same time: what it is
// called, what each host sees of it, how the hosts' transcripts are joined, and how
// their figures are combined into totals.
//
// In totals, rates and counts are summed, latency histograms are merged and
// percentiles read from the result, means are weighted by operations, and a maximum
// is the largest of all. What cannot be combined (a percentile if a host gave no
// histogram, a standard deviation of samples) is absent and never guessed. Totals
// come first and have the label clients, the number of hosts; each host's own
// figures follow with the label host, so that Repeat.Measurement returns the total
// and Of returns one host's figures. A figure without a total is left out of both,
// since the first host's would be taken for the total. It is in the transcript.
//
// It is pure and knows no tool.
package multiclient
