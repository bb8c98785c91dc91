package blame

import "assay/incident"

// zfsPool finds pools that can't be used although their disks answer.
var zfsPool = Rule{ID: "zfs-pool", Title: "A ZFS pool can't be used", Check: func(c Case) []Cause {
	if inUse := c.of(incident.ZFSInUse); len(inUse) > 0 && c.has(incident.ZFSRoot) {
		return []Cause{{Layer: incident.Volumes, Host: inUse[0].Host, How: Likely, Says: "ZFS, which takes this machine's root pool for another machine's", Why: "The initramfs could not import the pool that the system boots from: the pool bears another host ID than the initramfs has, as after an upgrade or a boot from a rescue system. A root pool is seldom moved.", Evidence: quote(3, inUse),
			Next: []Step{{"import it once by force at that prompt, then rebuild the initramfs with the system's host ID", "zpool import -f -N POOL; exit   (then: zgenhostid; update-initramfs -u -k all)"}}, explains: []incident.Kind{incident.ZFSInUse, incident.ZFSRoot, incident.ZFSFaulted, incident.MountFailed, incident.RootMissing}},
		}
	} else if len(inUse) > 0 {
		return []Cause{{Layer: incident.Operator, Host: inUse[0].Host, How: VeryLikely, Says: "a pool that was not exported from the system that used it last", Why: "The pool bears the mark of another system. It was moved without an export, or the system was reinstalled; or the other one still uses it.", Evidence: quote(3, inUse),
			Next: []Step{{"make sure that no other system has it imported, then import it", "zpool import -f POOL"}}, explains: []incident.Kind{incident.ZFSInUse, incident.ZFSFaulted, incident.MountFailed}}}
	}
	events := c.of(incident.ZFSDamaged)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(4, events), explains: with([]incident.Kind{incident.ZFSDamaged}, incident.HungTask, incident.ZFSSuspended)}
	pool, mem := base, base
	pool.Layer, pool.Says, pool.Why = incident.Volumes, "the pool's own structures, which are damaged", "ZFS found its own structures inconsistent."
	pool.Next = []Step{{"check whether an older state of it can be read", "zpool import -o readonly=on POOL; zpool import -Fn POOL"}}
	if c.onlyOn(base.Host, base.explains) {
		pool.How = Likely
		pool.Why += " No disk and no memory reported an error: a crash or a bug left them so, or memory that flipped a bit."
	}
	mem.Layer, mem.Says, mem.Why = incident.Memory, "memory that flipped a bit before it was written", "What was damaged in memory is written with a valid checksum."
	mem.Next = []Step{{"test the memory, above all without ECC", "memtester 1G 3"}}
	return []Cause{pool, mem}
}}
