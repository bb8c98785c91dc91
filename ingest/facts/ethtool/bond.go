package ethtool

import "assay"

// bonded sets how many members of a bond send, if any are known. The kernel gives
// a bond the sum of their speeds, and Speed is that of one link. Only ip -d shows
// which members send: without it, a sum stays undivided and Members 0, because one
// of two links may be a backup.
func bonded(n *assay.NICFacts, sending int) {
	switch {
	case sending == 0:
		return
	case n.Speed > 0 && n.Members == 0 && n.Driver != assay.Bonding:
		return
	case n.Speed > 0 && n.Members == 0:
		n.Speed /= float64(sending)
	}
	n.Members = sending
}

// leave counts a member of a bond out again: it does not send.
func (r *reader) leave() {
	if r.of != "" {
		r.members[r.of]--
		r.of = ""
	}
}
