package session

import (
	"slices"

	"assay"
	"assay/inventory/cluster"
	"assay/place/guest"
	"assay/volume/moved"
)

// moves reports whether guests are moved. Those are not hosts of the run: a connection
// to a guest through its hypervisor would break during the move.
func (s *Session) moves() bool { return s.measures(assay.KindGuest) }

// measures reports whether subjects of a kind are measured.
func (s *Session) measures(kind assay.SubjectKind) bool {
	of := func(all []assay.Trial) bool {
		return slices.ContainsFunc(all, func(t assay.Trial) bool { return t.Subject.Kind == kind })
	}
	return slices.ContainsFunc(s.options.Suite.Cases, func(c assay.Case) bool { return c.On == kind }) ||
		s.before != nil && of(s.before.plan.Trials) || s.like != nil && of(s.like.plan.Trials)
}

// moving returns the hosts of a run that moves guests (those chosen except the moved guests,
// and both ends of each move) and the guests, by their home hosts.
func moving(c cluster.Cluster, chosen []cluster.Host) (hosts []cluster.Host, guests map[string][]assay.Subject) {
	guests = map[string][]assay.Subject{}
	chosen, _ = cluster.Standing(chosen)
	wanted := map[string]bool{}
	for _, h := range chosen {
		m, moves := c.Move(h)
		if !moves {
			wanted[h.Name] = true
			continue
		}
		wanted[m.Home.Host], wanted[m.Away.Host] = true, true
		guests[m.Home.Host] = append(guests[m.Home.Host], assay.Subject{
			ID: m.Home.Host + "/" + string(assay.KindGuest) + "/" + h.Name, Kind: assay.KindGuest, Host: m.Home.Host, Name: h.Name,
			Peer: m.Away.Host, Network: h.Guest.Migrate.Network, Volume: moved.Kind, Params: m.Params(),
		})
	}
	return slices.DeleteFunc(slices.Clone(c.Hosts), func(h cluster.Host) bool { return !wanted[h.Name] }), guests
}

// inside returns the place of a guest on a host. The guest may be elsewhere next
// time, so it is reached through whichever host is given.
func inside(at assay.Place, kind, name string) assay.Place {
	for _, k := range guest.Kinds {
		if k.Word == kind && k.Valid(name) {
			return guest.New(assay.Host{Name: name}, guest.Options{Hypervisor: at, Agent: k.Agent(name)})
		}
	}
	return nil
}
