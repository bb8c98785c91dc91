package ceph

import (
	"encoding/json"
	"fmt"

	"assay"
)

// LeastRoom is the smallest room worth lending, in bytes.
const LeastRoom = 64 << 20

// roleHow is the role of the receipt's name that holds a Lent as JSON: how to reach the
// scratch space.
const roleHow = "how"

// Scratch returns the names of a receipt for what assay makes in a Ceph, a pool or an image,
// whose own name is under its role.
func (l Lent) Scratch(role, id string) (map[string]string, error) {
	if err := assay.CheckID(id); err != nil {
		return nil, err
	}
	how, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	return map[string]string{role: Prefix + id, roleHow: string(how)}, nil
}

// ReadScratch reads a volume's receipt as named by Scratch, and rejects all others: a
// receipt comes from a file, and what it names is removed.
func ReadScratch(r assay.Receipt, volume, role string) (name string, l Lent, err error) {
	name = r.Names[role]
	err = json.Unmarshal([]byte(r.Names[roleHow]), &l)
	if err != nil || r.Volume != volume || !assay.SafeID(r.ID) || name != Prefix+r.ID || !IsName(l.Model) {
		return "", Lent{}, fmt.Errorf("receipt %q is not for a scratch %s of assay", r.ID, role)
	}
	return name, l, nil
}

// Lendable returns how much of a pool's room to lend to each of its sharers: half of it
// in total, since the fullest OSD sets the room, and others write meanwhile. where is
// for the error message.
func Lendable(want, room int64, sharers int, where string) (int64, error) {
	share := room / 2 / int64(max(1, sharers))
	if share < min(LeastRoom, want) {
		return 0, assay.WithHint("free some space, add OSDs, or measure fewer hosts (--host)",
			"%w %s: its fullest OSD leaves %d MiB, of which assay uses at most half, %d MiB for each of %d at a time",
			assay.ErrNoSpace, where, room>>20, share>>20, max(1, sharers))
	}
	return min(want, share), nil
}
