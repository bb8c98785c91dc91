package blame

import "assay/incident"

// slowSync finds cluster databases that wait for their disk to make writes durable.
var slowSync = Rule{ID: "slow-sync", Title: "A database waits for its disk", Check: func(c Case) []Cause {
	events := c.of(incident.SlowSync)
	if len(events) == 0 {
		return c.leaseLost()
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.SlowSync, incident.NodeNotReady, incident.NoRoute, incident.LeaseLost}}
	drive, under := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a disk whose synchronous writes are slow", "A database waits for each write to reach stable storage. Drives without power-loss protection and busy drives are slow at this."
	drive.Next = []Step{{"measure synchronous writes on the database's storage, and check what else writes there", "assay run --suite sync; iostat -x 1 5"}}
	under.Layer, under.Says, under.Why = incident.Hypervisor, "the storage under a virtual machine's disk", "A guest's disk is only as fast as the hypervisor's storage under it."
	under.Next = []Step{{"check whether this is a guest; if so, measure on the hypervisor too", "systemd-detect-virt"}}
	if c.onlyOn(base.Host, base.explains) && c.hasOn(base.Host, incident.IsGuest) && (says(events, "sync") || says(events, "slow disk")) { // large requests are slow as well
		under.How = Likely
	}
	return []Cause{drive, under}
}}

// leaseLost suggests why Kubernetes controllers failed to renew their lease in time.
func (c *Case) leaseLost() []Cause {
	events := c.of(incident.LeaseLost)
	if len(events) == 0 {
		return nil
	}
	base := Cause{Host: events[0].Host, How: Possible, Evidence: quote(3, events), explains: []incident.Kind{incident.LeaseLost, incident.PodCrash}, anywhere: true}
	drive, network := base, base
	drive.Layer, drive.Says, drive.Why = incident.Drive, "a disk whose synchronous writes are slow, under the cluster's database", "A controller ends itself when it can't renew its lease within seconds: the API server answers as late as its database does."
	drive.Next = []Step{{"check whether the database waited for its disk in that minute", "journalctl -u k3s -u etcd --since '1 hour ago' | grep -iE 'took too long|slow'; iostat -x 1 5"}}
	network.Layer, network.Says, network.Why = incident.Network, "the network to the API server", "Leases also expire when the API server is unreachable."
	network.Next = []Step{{"check whether the API server answered then", "kubectl get --raw /readyz?verbose; journalctl --since '1 hour ago' | grep -E 'i/o timeout|refused'"}}
	return []Cause{drive, network}
}
