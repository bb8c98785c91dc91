package drbd

import (
	"fmt"
	"strings"
)

// configuration returns the file for drbdadm, with the device under each replica. It has
// no handlers: what happens to the resource is assay's business alone.
func (r resource) configuration(devices []string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("global { usage-count no; }")
	say("resource %s {", r.Name)
	for _, section := range []string{"disk", "net"} {
		say("\t%s {", section)
		for _, o := range r.Common {
			if o.Section == section {
				say("\t\t%s %s;", o.Name, o.Value)
			}
		}
		if section == "net" {
			say("\t\tprotocol %s;", r.Protocol)
		}
		say("\t}")
	}
	var nodes []string
	for i, one := range r.Replicas {
		nodes = append(nodes, one.Node)
		say("\ton %s {", one.Node)
		say("\t\tdevice %s minor %d;", r.device(), r.Minor)
		say("\t\tdisk %s;", devices[i])
		say("\t\taddress %s;", endpoint(one.Address, r.Port))
		say("\t\tmeta-disk internal;")
		if r.Major >= 9 {
			say("\t\tnode-id %d;", i)
		}
		say("\t}")
	}
	if r.Major >= 9 {
		say("\tconnection-mesh { hosts %s; }", strings.Join(nodes, " "))
	}
	say("}")
	return b.String()
}

func endpoint(address string, port int) string {
	if strings.Contains(address, ":") {
		return fmt.Sprintf("ipv6 [%s]:%d", address, port)
	}
	return fmt.Sprintf("ipv4 %s:%d", address, port)
}
