// Package failover stops what a cluster.yaml allows it to stop, while other hosts send a
// request every 10 ms or run a command again and again, and has it put back. It measures how
// long there was no answer, how many requests were lost, and when everything was as before;
// and, if there is a load, how it fared meanwhile.
//
// It stops only what its volume lent, which somebody confirmed. A guard on that host stops it
// and puts it back by itself (see assay/stacks/failover): nothing depends on this process.
package failover
