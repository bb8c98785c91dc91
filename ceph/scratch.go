package ceph

import (
	"encoding/json"
	"fmt"

	"assay"
	"assay/internal/lazyregexp"
)

// LeastRoom is the smallest room worth lending, in bytes.
const LeastRoom = 64 << 20

// roleHow is the role of the receipt's name that holds a Lent as JSON: how to reach the
// scratch space.
const roleHow = "how"

// safeID is what may stand in the name of a pool or an image that is later removed.
var safeID = lazyregexp.New(`^[0-9a-z]{8,56}$`)

// Scratch returns the names of a receipt for what assay makes in a Ceph, a pool or an image,
// with the name of that by its role.
func (l Lent) Scratch(role, id string) (map[string]string, error) {
	if !safeID.MatchString(id) {
		return nil, fmt.Errorf("invalid scratch id %q: need 8 to 56 of 0-9 and a-z", id)
	}
	how, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	return map[string]string{role: Prefix + id, roleHow: string(how)}, nil
}

// ReadScratch reads a receipt of a volume as Scratch named it, and refuses all others: a
// receipt comes from a file, and what it names is removed.
func ReadScratch(r assay.Receipt, volume, role string) (name string, l Lent, err error) {
	name = r.Names[role]
	err = json.Unmarshal([]byte(r.Names[roleHow]), &l)
	if err != nil || r.Volume != volume || !safeID.MatchString(r.ID) || name != Prefix+r.ID || !IsName(l.Model) {
		return "", Lent{}, fmt.Errorf("receipt %q is not for a scratch %s of assay", r.ID, role)
	}
	return name, l, nil
}

// Lendable is how much of the room in a pool is lent: a quarter, since the room is that of
// the fullest OSD and several hosts may be lent some. where is for the message.
func Lendable(want, room int64, where string) (int64, error) {
	bytes := min(want, room/4)
	if bytes < min(LeastRoom, want) {
		return 0, assay.WithHint("free some space, or add OSDs", "%w %s: its fullest OSD has %d MiB left, and assay uses at most a quarter of that",
			assay.ErrNoSpace, where, room>>20)
	}
	return bytes, nil
}
