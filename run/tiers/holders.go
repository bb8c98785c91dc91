package tiers

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
	"assay/volume"
)

// addHolders asks the hosts of the cluster.yaml that hold data of tiers but are no clients of
// them, and adds them to the inventory: their drives, processors and networks do the work. It
// notes those that do not answer. A tier with only some hosts chosen adds none.
func (d *Deployment) addHolders(ctx context.Context, inv *assay.Inventory, tools []string) {
	var asked []inventory.Asked
	learners := map[string]func(assay.Place, *assay.Facts){}
	for _, one := range d.clients {
		storage, tells := one.tier.Storage.(volume.HolderLearner)
		stack := inv.Facts[one.host.Name].Stack
		if !tells || stack == nil || d.partial[one.tier.Name] {
			continue
		}
		for _, disk := range stack.Disks {
			host := d.options.Cluster.Host(disk.Host)
			_, known := inv.Facts[disk.Host]
			if host == nil || known || learners[disk.Host] != nil || d.places[disk.Host] != nil {
				continue
			}
			at, err := d.open(*host)
			if err != nil {
				d.noteHolder(disk.Host, err)
				continue
			}
			asked = append(asked, inventory.Asked{Place: at, Devices: host.Measure.Devices})
			learners[disk.Host] = func(at assay.Place, f *assay.Facts) { storage.LearnHolder(ctx, at, *stack, f) }
		}
	}
	if len(asked) == 0 {
		return
	}
	more, down, err := inventory.Survey(ctx, asked, tools)
	if err != nil { // two hosts of one name, which the file check excludes
		d.Notes = append(d.Notes, assay.Note{ID: noteHolder, Text: err.Error()})
		return
	}
	for _, host := range slices.Sorted(maps.Keys(down)) {
		d.noteHolder(host, down[host])
	}
	for _, a := range asked {
		name := a.Place.Host().Name
		if facts, answered := more.Facts[name]; answered {
			learners[name](a.Place, &facts)
			inv.Facts[name] = facts
			d.holders = append(d.holders, inventory.Asked{Place: a.Place})
		}
	}
	for _, host := range more.Hosts {
		if host.Absent == nil {
			inv.Hosts = append(inv.Hosts, host)
		}
	}
	inv.Subjects = append(inv.Subjects, more.Subjects...)
}

// open opens the place of a host that is no client, once.
func (d *Deployment) open(host cluster.Host) (assay.Place, error) {
	if at := d.opened[host.Name]; at != nil {
		return at, nil
	}
	at, err := d.options.Remote(host)
	if err == nil {
		d.opened[host.Name] = at
	}
	return at, err
}

// noteHolder is the id of the note on a data host that could not be asked.
const noteHolder = "holder"

func (d *Deployment) noteHolder(host string, err error) {
	d.Notes = append(d.Notes, assay.Note{ID: noteHolder, Text: fmt.Sprintf("%s holds data and could not be asked: %s", host, err)})
}

// Holders returns the hosts that the last Complete found besides the clients and that answered.
// Teardown closes them.
func (d *Deployment) Holders() []inventory.Asked { return d.holders }
