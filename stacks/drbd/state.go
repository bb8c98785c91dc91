package drbd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/jsondoc"
	"assay/internal/lazyregexp"
)

// State is the state of one volume of a resource as one node sees it, in DRBD's own words.
type State struct {
	Resource string // "" with DRBD 8, whose /proc/drbd has minors alone
	Minor    int
	Role     string // Primary, Secondary
	Disk     string // UpToDate, Inconsistent, Diskless
	Peers    []PeerState
}

// PeerState is what is known about another node.
type PeerState struct {
	Name        string // "" with DRBD 8
	Connection  string // Connected, Connecting, StandAlone; with DRBD 8 WFConnection is Connecting
	Replication string // Established, SyncSource, SyncTarget; "" unless connected
	Disk        string
}

var (
	procVersion = lazyregexp.New(`^version: ([0-9][0-9A-Za-z.-]*) \(api:`)
	procRow     = lazyregexp.New(`^ *(\d{1,7}): cs:(\w+) ro:(\w+)/(\w+) ds:(\w+)/(\w+)`)
)

// ReadVersion parses the version of the kernel module from /proc/drbd.
func ReadVersion(proc []byte) (version string, major int, err error) {
	for line := range strings.Lines(string(proc)) {
		if m := procVersion.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			first, _, _ := strings.Cut(m[1], ".")
			major, err = strconv.Atoi(first)
			return m[1], major, err
		}
	}
	return "", 0, fmt.Errorf("/proc/drbd: %w: no version", assay.ErrNoOutput)
}

// syncing are the DRBD 8 connection states that later versions report as
// replication states.
var syncing = []string{"SyncSource", "SyncTarget", "PausedSyncS", "PausedSyncT", "VerifyS", "VerifyT", "WFBitMapS", "WFBitMapT", "StartingSyncS", "StartingSyncT", "WFSyncUUID", "Ahead", "Behind"}

// ReadProc parses /proc/drbd of DRBD 8, where a volume has one peer. It skips minors
// without a resource (cs:Unconfigured).
func ReadProc(text []byte) ([]State, error) {
	if _, major, err := ReadVersion(text); err != nil || major != 8 {
		return nil, fmt.Errorf("/proc/drbd is not of DRBD 8: %w", assay.ErrNoOutput)
	}
	var all []State
	for line := range strings.Lines(string(text)) {
		m := procRow.FindStringSubmatch(strings.TrimRight(line, " \r\n"))
		if m == nil {
			continue
		}
		s := State{Role: m[3], Disk: m[5]}
		s.Minor, _ = strconv.Atoi(m[1])
		p := PeerState{Connection: m[2], Disk: m[6]}
		switch {
		case m[2] == "Connected":
			p.Replication = "Established"
		case slices.Contains(syncing, m[2]):
			p.Connection, p.Replication = "Connected", m[2]
		case m[2] == "WFConnection":
			p.Connection = "Connecting"
		}
		s.Peers = []PeerState{p}
		all = append(all, s)
	}
	return all, nil
}

// ReadStatus parses the output of drbdsetup status --json, which DRBD 9 has.
func ReadStatus(text []byte) ([]State, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, fmt.Errorf("drbdsetup status: %w", err)
	}
	var all []State
	for _, r := range doc.List() {
		for _, d := range r.At("devices").List() {
			number, _ := d.At("volume").Number()
			s := State{Resource: r.At("name").Text(), Role: r.At("role").Text(), Disk: d.At("disk-state").Text(), Minor: -1}
			if n, told := d.At("minor").Number(); told && n >= 0 && n < 1<<20 {
				s.Minor = int(n)
			}
			for _, c := range r.At("connections").List() {
				p := PeerState{Name: c.At("name").Text(), Connection: c.At("connection-state").Text()}
				for _, v := range c.At("peer_devices").List() {
					if n, told := v.At("volume").Number(); told && n == number {
						p.Replication, p.Disk = v.At("replication-state").Text(), v.At("peer-disk-state").Text()
					}
				}
				if p.Connection != "Connected" {
					p.Replication = ""
				}
				s.Peers = append(s.Peers, p)
			}
			if s.Resource == "" || s.Disk == "" {
				return nil, fmt.Errorf("drbdsetup status: %w: a resource without name or disk", assay.ErrNoOutput)
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// Troubles returns why figures of the volume would not represent a resource in sync with
// that many peers; nil if nothing is wrong.
func (s State) Troubles(peers int) []string {
	var all []string
	if s.Disk != "UpToDate" {
		all = append(all, "its own disk is "+s.Disk)
	}
	connected := 0
	for _, p := range s.Peers {
		who := strings.TrimSpace("the peer " + p.Name)
		switch {
		case p.Connection != "Connected":
			all = append(all, fmt.Sprintf("the connection to %s is %s", who, p.Connection))
			continue
		case p.Replication != "Established" && p.Replication != "":
			all = append(all, fmt.Sprintf("%s is resynced (%s)", who, p.Replication))
		case p.Disk != "UpToDate":
			all = append(all, fmt.Sprintf("the disk of %s is %s", who, p.Disk))
		}
		connected++
	}
	if len(all) == 0 && connected < peers {
		all = append(all, fmt.Sprintf("%d of %d peers take part", connected, peers))
	}
	return all
}

// Resyncs reports whether data is being copied between the nodes.
func (s State) Resyncs() bool {
	return slices.ContainsFunc(s.Peers, func(p PeerState) bool { return p.Replication == "SyncSource" || p.Replication == "SyncTarget" })
}
