package zfs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/stacks/zfs"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

// Format recognises the table by its header, and -H output by a common property
// between tabs.
func (learner) Format() assay.Format {
	return assay.Format{
		Tool: "zfs", Commands: []string{"zfs", "zpool"},
		Begins: func(line string) bool {
			if zfs.IsHeader(line) {
				return true
			}
			if strings.IndexByte(line, '\t') < 0 {
				return false
			}
			columns := strings.Split(strings.TrimRight(line, "\r"), "\t")
			return (len(columns) == 3 || len(columns) == 4) && known[columns[1]] && name.MatchString(columns[0])
		},
		Splits: func(_ []byte, next string) bool { return zfs.IsHeader(next) },
	}
}

// known are properties that begin -H output or that people ask for.
var known = func() map[string]bool {
	all := map[string]bool{}
	for _, p := range strings.Fields("type creation used available referenced compressratio mounted recordsize volblocksize volsize compression sync logbias " +
		"primarycache secondarycache direct dedup checksum atime encryption copies quota reservation size capacity health ashift autotrim") {
		all[p] = true
	}
	return all
}()

var name = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.:/@#%-]*$`)

// Learn merges the properties of each dataset and pool into the known ones.
// Snapshots are left out: nothing can be measured on them.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("zfs: %w", assay.ErrNoOutput)
	}
	found := map[string]map[string]string{}
	var order []string
	for _, p := range zfs.ReadProperties(step.Output.Stdout) {
		if found[p.Of] == nil {
			found[p.Of] = map[string]string{}
			order = append(order, p.Of)
		}
		if p.Value != "-" {
			found[p.Of][p.Name] = p.Value
		}
	}
	if len(order) == 0 {
		return assay.WithHint("zfs get all DATASET prints them", "zfs: %w: no property of a dataset", assay.ErrNoOutput)
	}
	pools := slices.Clone(f.Pools)
	for _, dataset := range order {
		i := slices.IndexFunc(pools, func(p assay.PoolFacts) bool { return p.Name == dataset })
		if i < 0 {
			i = len(pools)
			pools = append(pools, assay.PoolFacts{Kind: "zfs", Name: dataset})
		}
		properties := maps.Clone(pools[i].Properties)
		if properties == nil {
			properties = map[string]string{}
		}
		maps.Copy(properties, found[dataset])
		pools[i].Properties = properties
	}
	f.Pools = pools
	return nil
}
