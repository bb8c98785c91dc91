package differences

import (
	"assay/inventory/cluster"
	"assay/inventory/survey"
)

// duplicates returns the addresses of hosts on a network that other hosts also have
// on an interface: which of them answers depends on each ARP cache. Addresses on no
// network, such as those of a container bridge, may be on all hosts.
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
