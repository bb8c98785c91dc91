package hosts

import (
	"context"
	"fmt"
	"strconv"

	"assay/lab/internal/wires"
)

// The networks of a lab. Every host has an address on each: 10.N.0.x behind the
// first switch, which also connects this machine, 10.N.1.x behind the second,
// and 10.N.2.x on the cables of the ring, where hosts forward for those that
// are not their neighbours.
const (
	Management = "management"
	Storage    = "storage"
	Ring       = "ring"

	managementNIC = "eth0"
	storageNIC    = "eth1"
	nextNIC       = "eth2" // of the ring
	previousNIC   = "eth3"

	laptop     = "laptop" // this machine's end of its cable, in the switch
	laptopHost = 254
)

// lineShare is the share of the line rate to which Ethernet frames are limited,
// so that no more gets through than through a cable: of 1538 B on the wire
// (preamble 8, frame 1518, gap 12) the kernel counts 1514, and a token bucket
// lets a little extra pass at the start.
const lineShare = 1514. / 1538 * 0.998

func (l *Lab) addressOf(network, i int) string {
	return fmt.Sprintf("10.%d.%d.%d", l.state.Octet, network, i+1)
}

// Address returns a host's address on a network, or "" if there is no such
// host.
func (l *Lab) Address(host, network string) string {
	third, ok := map[string]int{Management: 0, Storage: 1, Ring: 2}[network]
	for i, h := range l.state.Hosts {
		if ok && h.Name == host && (network != Ring || len(l.state.Hosts) > 1) {
			return l.addressOf(third, i)
		}
	}
	return ""
}

// cable is one link of the ring: from a host's next interface to another's
// previous.
type cable struct{ from, to int }

func (l *Lab) ring() []cable {
	n := len(l.state.Hosts)
	var all []cable
	for i := range n {
		if n > 2 || n == 2 && i == 0 {
			all = append(all, cable{i, (i + 1) % n})
		}
	}
	return all
}

// linkLaptop connects this machine to the first switch and returns the
// interface's index. The interface is named after the lab's addresses, so that
// two labs cannot take the same ones.
func (l *Lab) linkLaptop(ctx context.Context) (index int, err error) {
	pid, err := l.pid(switchName)
	if err != nil {
		return 0, err
	}
	return wires.Link(ctx, l.laptopNIC(), fmt.Sprintf("10.%d.0.%d/24", l.state.Octet, laptopHost), pid, laptop)
}

func (l *Lab) laptopNIC() string { return "alab" + strconv.Itoa(l.state.Octet) }

// wireSwitches creates the two switches.
func (l *Lab) wireSwitches(ctx context.Context) error {
	pid, err := l.pid(switchName)
	if err != nil {
		return err
	}
	return wires.IP(ctx, pid,
		"link set lo up",
		"link add name "+Management+" type bridge", "link set "+Management+" up",
		"link add name "+Storage+" type bridge", "link set "+Storage+" up",
		"link set "+laptop+" master "+Management+" up")
}

// wire plugs in the cables of hosts that have none and sets every address,
// route and rate. It is idempotent.
func (l *Lab) wire(ctx context.Context, fresh map[string]bool) error {
	pids := l.processes().Alive()
	hub := pids[switchName]
	var ports, portRates []string
	own := make([][]string, len(l.state.Hosts))
	rates := make([][]string, len(l.state.Hosts))
	for i, h := range l.state.Hosts {
		if pids[h.Name] == 0 || hub == 0 {
			return fmt.Errorf("%s is not up", h.Name)
		}
		if !fresh[h.Name] {
			continue
		}
		own[i] = append(own[i], "link set lo up")
		for n, nic := range []string{managementNIC, storageNIC} {
			port := portOf(n, i)
			ports = append(ports,
				fmt.Sprintf("link add name %s type veth peer name %s address %s netns %d", port, nic, l.mac(n, i), pids[h.Name]),
				fmt.Sprintf("link set %s master %s up", port, []string{Management, Storage}[n]))
			portRates = append(portRates, bound(port, h.Link))
			own[i] = append(own[i], fmt.Sprintf("address add %s/24 dev %s", l.addressOf(n, i), nic), "link set "+nic+" up")
			rates[i] = append(rates[i], bound(nic, h.Link))
		}
	}
	if err := wires.IP(ctx, hub, ports...); err != nil {
		return err
	}
	for _, c := range l.ring() {
		a, b := l.state.Hosts[c.from], l.state.Hosts[c.to]
		if !fresh[a.Name] && !fresh[b.Name] {
			continue
		}
		if err := wires.IP(ctx, pids[a.Name],
			fmt.Sprintf("link add name %s address %s type veth peer name %s address %s netns %d",
				nextNIC, l.mac(2, c.from), previousNIC, l.mac(3, c.to), pids[b.Name])); err != nil {
			return err
		}
		for _, end := range []struct {
			host int
			nic  string
		}{{c.from, nextNIC}, {c.to, previousNIC}} {
			own[end.host] = append(own[end.host],
				fmt.Sprintf("address add %s/32 dev %s", l.addressOf(2, end.host), end.nic), "link set "+end.nic+" up")
			rates[end.host] = append(rates[end.host], bound(end.nic, min(a.Link, b.Link)))
		}
	}
	for i, h := range l.state.Hosts {
		if err := wires.IP(ctx, pids[h.Name], own[i]...); err != nil {
			return err
		}
		if err := wires.Batch(ctx, pids[h.Name], rates[i], "tc", "-batch", "-"); err != nil {
			return err
		}
	}
	if err := l.routeRing(ctx); err != nil {
		return err
	}
	return wires.Batch(ctx, hub, portRates, "tc", "-batch", "-")
}

// portOf returns the name of host i's port in a switch.
func portOf(network, i int) string { return fmt.Sprintf("p%d-%d", network, i+1) }

// mac returns the hardware address of interface nic of host i. It is the same
// after each power-on, because others remember it.
func (l *Lab) mac(nic, i int) string {
	return fmt.Sprintf("02:00:%02x:%02x:%02x:%02x", l.state.Octet, nic, (i+1)>>8, (i+1)&0xff)
}

// bound returns the tc command that limits what an interface sends: bursts of 2
// ms of traffic, and a queue of 10 ms.
func bound(nic string, line float64) string {
	rate := line * lineShare
	burst := max(rate/8*0.002, 128<<10) // B; a segment before offload is 64 KiB
	return fmt.Sprintf("qdisc replace dev %s root tbf rate %.0fbit burst %.0f latency 10ms", nic, rate, burst)
}

// routeRing sets the routes of the ring: to a neighbour over its own cable, to
// the others the shorter way round.
func (l *Lab) routeRing(ctx context.Context) error {
	n := len(l.state.Hosts)
	pids := l.processes().Alive()
	next := map[int]int{}
	for _, c := range l.ring() {
		next[c.from] = c.to
	}
	for i, h := range l.state.Hosts {
		var routes []string
		for hops := 1; hops < n; hops++ {
			to := (i + hops) % n
			nic, via := nextNIC, (i+1)%n
			if _, ok := next[i]; !ok || hops > n-hops {
				nic, via = previousNIC, (i+n-1)%n
			}
			gateway := ""
			if to != via {
				gateway = fmt.Sprintf("via %s onlink ", l.addressOf(2, via))
			}
			routes = append(routes, fmt.Sprintf("route replace %s/32 %sdev %s src %s",
				l.addressOf(2, to), gateway, nic, l.addressOf(2, i)))
		}
		if err := wires.IP(ctx, pids[h.Name], routes...); err != nil {
			return err
		}
	}
	return nil
}

// showSpeeds makes a host's interfaces report their actual speed: a veth pair
// always reports 10 Gb/s.
func (l *Lab) showSpeeds(ctx context.Context, h Host) error {
	argv := []string{"sh", "-euc", showSpeed, "sh"}
	speed := func(nic string, line float64) { argv = append(argv, nic, fmt.Sprintf("%.0f", line/1e6)) }
	speed(managementNIC, h.Link)
	speed(storageNIC, h.Link)
	for _, c := range l.ring() {
		a, b := l.state.Hosts[c.from], l.state.Hosts[c.to]
		switch h.Name {
		case a.Name:
			speed(nextNIC, min(a.Link, b.Link))
		case b.Name:
			speed(previousNIC, min(a.Link, b.Link))
		}
	}
	_, err := l.Run(ctx, h.Name, argv...)
	return err
}

// showSpeed takes pairs of interface and speed in Mb/s.
const showSpeed = `
while [ $# -gt 0 ]; do
	if [ "$(cat "/sys/class/net/$1/speed")" != "$2" ]; then
		echo "$2" >"/run/lab/speed-$1"
		mount --bind "/run/lab/speed-$1" "/sys/class/net/$1/speed"
	fi
	shift 2
done`
