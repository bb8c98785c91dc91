// Package multiclient knows what a trial on several hosts at one moment is: what it
// is called, what each host sees of it, how what was run on each becomes one
// transcript, and how the figures of each become those of all.
//
// Of the figures of all, rates and counts add up, latency histograms are merged
// and percentiles read from what that gives, means are weighted by operations,
// the greatest is the greatest. What cannot be put together (a percentile where a
// host gave no histogram, a standard deviation of samples) is absent and never
// guessed. They stand first and have the label clients, the number of hosts;
// behind them stands what each host had of each, with the label host, so that
// Repeat.Measurement gives the total and Of gives what one host had. A figure
// without a total is left out of both: the first host's would be read as that of
// all. It is in the transcript.
//
// It is pure and knows no tool.
package multiclient
