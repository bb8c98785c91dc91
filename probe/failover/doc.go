// Package failover stops what a cluster.yaml lets be stopped, while other hosts ask for an
// answer every 10 ms, or run a command again and again, and has it put back: how long there was no answer, how many requests were
// lost, and when all was as before; and how a load got on meanwhile, where there is one.
//
// It stops only what its volume lent, which somebody confirmed. What stops it is a guard on that
// host, which puts it back by itself (see assay/stacks/failover): nothing hangs on this process.
package failover
