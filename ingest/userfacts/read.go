package userfacts

import (
	"strings"

	"assay"
	"assay/internal/yamldoc"
)

// Read reads a file of facts: the words of Set, one per line,
//
//	pcie: gen3x4
//	zfs.sync: standard
//
// and under hosts the facts of single hosts, which override those of all:
//
//	hosts:
//	  pve1: {nic: 10G}
//
// It returns facts by host; the key "" holds those of every host. name is for
// errors, which say file:line:column.
func Read(name string, text []byte) (map[string]assay.Facts, error) {
	file, docs := yamldoc.Parse(name, text)
	all := map[string]assay.Facts{}
	for _, doc := range docs {
		if !doc.Empty() {
			document(doc, all)
		}
	}
	if err := file.Err(); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, assay.WithHint("for example pcie: gen3x4", "%s: contains no facts", name)
	}
	return all, nil
}

// document reads the facts of all hosts and, under hosts, those of single ones.
func document(doc yamldoc.Node, all map[string]assay.Facts) {
	for _, n := range doc.Pairs() {
		if n.Key != "hosts" {
			f := all[""]
			fact(n, &f)
			all[""] = f
			continue
		}
		for _, host := range n.Pairs() {
			f := all[host.Key]
			for _, one := range host.Pairs() {
				fact(one, &f)
			}
			f.Host = host.Key
			all[host.Key] = f
		}
	}
}

// fact reads one value as written: 2.20 is not parsed as a number, nor yes as a
// boolean.
func fact(n yamldoc.Node, f *assay.Facts) {
	text, ok := n.Word()
	if !ok {
		n.Fault("fact %.40s is %s; expected one value", n.Key, n.Kind())
		return
	}
	if err := setOne(f, strings.ToLower(n.Key), text); err != nil {
		n.Fault("%w", err)
		return
	}
	settle(f)
}
