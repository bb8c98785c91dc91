package drbd

import (
	"fmt"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

var (
	resourceLine = lazyregexp.New(`^(\S+) (?:node-id:\d+ )?role:(Primary|Secondary|Unknown)\b`)
	peerLine     = lazyregexp.New(`^(\S+) (?:node-id:\d+ )?(?:role:(?:Primary|Secondary|Unknown)|connection:(\w+))\b(.*)$`)
	diskWord     = lazyregexp.New(`(?:^|\s)disk:(\w+)`)
	peerDiskWord = lazyregexp.New(`(?:^|\s)peer-disk:(\w+)`)
	connWord     = lazyregexp.New(`(?:^|\s)connection:(\w+)`)
	procHead     = lazyregexp.New(`^version: (\S+) \(api:`)
	procRow      = lazyregexp.New(`^\s*(\d+): cs:(\w+) ro:(\w+)/(\w+) ds:(\w+)/(\w+)(?: ([ABC]))?\b`)
)

// fromText parses drbdadm status and /proc/drbd. Resource lines are not
// indented, peer lines are, and a peer's details are indented further.
func fromText(text string) (all []resource, version string, err error) {
	margin := -1
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \r")
		said := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if m := procHead.FindStringSubmatch(said); m != nil {
			version = m[1]
		} else if m := procRow.FindStringSubmatch(line); m != nil {
			all = append(all, fromProc(m))
		} else if strings.HasPrefix(said, "Failed to modprobe drbd") || strings.Contains(said, "Could not connect to 'drbd' generic netlink family") {
			return nil, "", assay.WithHint("run it on a node that has the volumes", "drbd, line %d: %s", i+1, said)
		} else if m := resourceLine.FindStringSubmatch(said); m != nil && (margin < 0 || indent <= margin) {
			margin = indent
			all = append(all, resource{name: m[1]})
		} else if len(all) > 0 && margin >= 0 && indent > margin {
			all[len(all)-1].take(said)
		}
	}
	for _, r := range all {
		if len(r.disks) == 0 {
			return nil, "", fmt.Errorf("drbd: resource %s ends before its disk state", r.name)
		}
	}
	return all, version, nil
}

// take parses a line below a resource line.
func (r *resource) take(said string) {
	if m := peerLine.FindStringSubmatch(said); m != nil {
		p := peer{name: m[1], connection: m[2]}
		if c := connWord.FindStringSubmatch(m[3]); c != nil {
			p.connection = c[1]
		}
		r.peers = append(r.peers, p)
		return
	}
	if m := peerDiskWord.FindStringSubmatch(said); m != nil && len(r.peers) > 0 {
		p := &r.peers[len(r.peers)-1]
		p.disks = append(p.disks, m[1])
	} else if m := diskWord.FindStringSubmatch(said); m != nil && len(r.peers) == 0 {
		r.disks = append(r.disks, m[1])
	} else if m != nil { // of a peer, as the first 9.0 releases print it
		p := &r.peers[len(r.peers)-1]
		p.disks = append(p.disks, m[1])
	}
}

// fromProc parses a DRBD 8 row of /proc/drbd: one volume and one peer.
func fromProc(m []string) resource {
	connection := m[2]
	switch connection {
	case "SyncSource", "SyncTarget", "PausedSyncS", "PausedSyncT", "VerifyS", "VerifyT", "Ahead", "Behind":
		connection = "Connected"
	}
	return resource{name: m[1], disks: []string{m[5]}, peers: []peer{{name: "peer", connection: connection, disks: []string{m[6]}}}, protocol: m[7]}
}
