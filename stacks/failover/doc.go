// Package failover has the scripts that stop something on a host so that others take over, put
// it back, and observe this from outside, and parsers for their output.
//
// A guard does the stopping: a process on that host that does not depend on assay, and that
// puts things back on request or when its time is up. So a laptop that dies or a link that is
// cut leaves nothing stopped. It stops only what a cluster.yaml declares.
package failover
