package kube

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"

	"assay/lab/internal/wires"
)

// The addresses of a lab: 10.N.0.1 the control plane, 10.N.0.11 the first node,
// 10.N.0.254 this machine, 10.N.101.0/24 the pods of the first node, 10.N.240.0/24
// services. There is no service proxy and no DNS server: only the API server's
// service address, 10.N.240.1, exists, in the control plane itself.

func (l *Lab) address(host string) string {
	return fmt.Sprintf("10.%d.0.%d", l.state.Octet, l.number(host))
}

// number returns the last octet of a host's address.
func (l *Lab) number(host string) int {
	i := slices.Index(l.Nodes(), host)
	if i < 0 {
		return 1
	}
	return 11 + i
}

func (l *Lab) podNetwork(node string) string {
	return fmt.Sprintf("10.%d.%d.0/24", l.state.Octet, 90+l.number(node))
}

func (l *Lab) serviceNetwork() string { return fmt.Sprintf("10.%d.240.0/24", l.state.Octet) }

// serviceAddresses returns those of the API server and of a DNS server. Nothing
// listens at the latter: queries are refused at once.
func (l *Lab) serviceAddresses() (api, names string) {
	return fmt.Sprintf("10.%d.240.1", l.state.Octet), fmt.Sprintf("10.%d.240.10", l.state.Octet)
}

// Address returns the address of a node or of Control.
func (l *Lab) Address(host string) string { return l.address(host) }

// Machine returns the address of this machine as the nodes and pods see it:
// they reach what listens there.
func (l *Lab) Machine() string { return fmt.Sprintf("10.%d.0.254", l.state.Octet) }

// Server returns the URL of the API server.
func (l *Lab) Server() string { return "https://" + l.address(Control) }

func (l *Lab) cable() string { return "akube" + strconv.Itoa(l.state.Octet) }

// linkMachine connects this machine to the control plane, which holds the
// switch. The interface is named after the lab's addresses, so that two labs
// cannot take the same ones.
func (l *Lab) linkMachine(ctx context.Context) error {
	var err error
	l.state.Cable, err = wires.Link(ctx, l.cable(), l.Machine()+"/24", l.processes().Alive()[Control], "machine")
	if err != nil {
		return err
	}
	if err := homeOf(l.Dir).Write(l.state); err != nil {
		return err
	}
	return wires.IP(ctx, 0, l.routes("")...)
}

// routes returns the routes that a host needs, "" for this machine: to the pods
// of every other node, and to services.
func (l *Lab) routes(host string) []string {
	var all []string
	for _, node := range l.Nodes() {
		if node != host {
			all = append(all, fmt.Sprintf("route replace %s via %s", l.podNetwork(node), l.address(node)))
		}
	}
	if host != Control {
		all = append(all, fmt.Sprintf("route replace %s via %s", l.serviceNetwork(), l.address(Control)))
	}
	return all
}

// wire connects this machine and all nodes to the switch and sets every address
// and route.
func (l *Lab) wire(ctx context.Context) error {
	pids := l.processes().Alive()
	hub := pids[Control]
	api, names := l.serviceAddresses()
	if err := l.linkMachine(ctx); err != nil {
		return err
	}
	ports := []string{
		"link set lo up",
		"link add name switch type bridge",
		"link set machine master switch up",
		fmt.Sprintf("address add %s/24 dev switch", l.address(Control)),
		"link set switch up",
		fmt.Sprintf("address add %s/32 dev lo", api),
		fmt.Sprintf("address add %s/32 dev lo", names),
	}
	for _, node := range l.Nodes() {
		ports = append(ports,
			fmt.Sprintf("link add name %s type veth peer name eth0 netns %d", node, pids[node]),
			fmt.Sprintf("link set %s master switch up", node))
	}
	if err := wires.IP(ctx, hub, append(ports, l.routes(Control)...)...); err != nil {
		return err
	}
	for _, node := range l.Nodes() {
		if err := wires.IP(ctx, pids[node], append([]string{
			"link set lo up",
			fmt.Sprintf("address add %s/24 dev eth0", l.address(node)),
			"link set eth0 up",
		}, l.routes(node)...)...); err != nil {
			return err
		}
	}
	return nil
}

// unlink removes this machine's end of the cable if it is still the lab's. It
// disappears by itself shortly after the other end's namespace.
func (l *Lab) unlink(ctx context.Context) error {
	nic, err := net.InterfaceByName(l.cable())
	if err != nil || l.state.Cable == 0 || nic.Index != l.state.Cable {
		return nil //nolint:nilerr // there is none
	}
	err = wires.IP(ctx, 0, "link delete "+l.cable())
	if _, gone := net.InterfaceByName(l.cable()); gone != nil {
		return nil //nolint:nilerr // it has gone by itself
	}
	return err
}
