// Bench measures assay itself against the bare tools and its peers, in parts: fio
// through assay against fio alone, start-up against a program that does nothing, the
// store against a synced file, queries of a history of more than ten million samples
// against a limit, reports against encoding/json; the load on an object store against
// boto3 and rclone, on a real Garage; and, on a lab of hosts made out of this machine,
// a cluster at once against its hosts one by one, the links in rounds against one by
// one, facts against ansible, and memory against its limit.
//
// Part diagnosis plants faults of lab/faults/matrix, one case after another, and
// scores the verdict: see doc/diagnosis.md.
//
// Machines are noisy, so compared things are measured in turns, and a claim is about
// the ratio of neighbours: its median over the turns with a distribution-free
// interval. A claim that the interval neither confirms nor refutes is called open.
//
// Results in minutes have one turn and no claim. The hosts of a lab share this
// machine's CPUs, also with everything done on them: a real cluster has less to wait
// for.
//
// It is never part of assay, changes nothing outside its own directory and the lab,
// which it removes, and tunes nothing. The cost of single functions, with their
// allocations, is for go test -bench . ./store ./report/...
//
//	go run ./bench -assay bin/assay -dir /srv -pairs 18 -seconds 2
//	go run ./bench -only facts -ansible ~/.venv/bin/ansible
//	go run ./bench -only diagnosis -kinds loss,detour
//	go run ./bench -only s3 -boto3 ~/.venv/bin/python -rclone ~/bin/rclone
package main
