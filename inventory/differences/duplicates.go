package differences

import (
	"assay/inventory/cluster"
	"assay/inventory/survey"
)

// duplicates returns the addresses of hosts on a network that other hosts have on an
// interface as well: which of them answers changes with each ARP cache. Addresses
// that no network names, such as those of a container bridge, may be on all hosts.
func duplicates(n cluster.Network, answers []survey.Answer) (found []Difference) {
	for _, own := range answers {
		address := n.Address(own.Host.Name)
		if !address.IsValid() {
			continue
		}
		d := Difference{What: "address " + address.String() + " on " + n.Name}
		for _, a := range answers {
			for _, has := range a.Addresses {
				if a.Host.Name == own.Host.Name || has.Prefix.Addr() != address {
					continue
				}
				d.Odd = append(d.Odd, a.Host.Name)
				d.Values = append(d.Values, Value{Text: "has the address of " + own.Host.Name + " on " + has.NIC, Hosts: []string{a.Host.Name}})
			}
		}
		if len(d.Odd) > 0 {
			found = append(found, d)
		}
	}
	return found
}
