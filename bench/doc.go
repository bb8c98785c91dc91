// Bench measures assay itself against the bare tools, in one run: fio through
// assay against fio alone, start-up against a program that does nothing, the
// store against a synced file, reports against encoding/json.
//
// Machines are noisy, so what is compared is measured in turns, and a claim is
// about the ratio of neighbours: its median over the turns with a
// distribution-free interval. A claim that the interval neither holds nor
// breaks is called open.
//
// It is never part of assay, changes nothing outside a directory of its own
// that it removes, and tunes nothing. What single functions cost, with their
// allocations, is for go test -bench . ./store ./report/...
//
//	go run ./bench -assay bin/assay -dir /srv -pairs 18 -seconds 2
package main
