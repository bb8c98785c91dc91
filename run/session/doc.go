// Package session conducts runs: it reaches the hosts, deploys storage tiers, holds
// the hosts against other runs, installs tools, carries out the plan, audits and
// stores the results, and removes what was made for them.
//
// Everything that a front end needs to measure is here, so that a command line and
// a server conduct a run in the same way:
//
//	s, err := session.New(session.Options{
//		Target: session.Target{Directories: []string{"/srv"}},
//		Suite:  quick,
//		Tell:   func(e session.Event) { … },
//	})
//	…
//	run, err := s.Run(ctx, st)
//
// [New] begins a run and [Resume] continues one that was interrupted; neither
// contacts a host. [Session.Run] measures, [Session.Plan] only says what would be
// done. [Examine] says what cannot be measured and why, [Cleanup] removes what
// killed runs left behind, and [AskHosts] and [AskTargets] collect facts of hosts.
//
// The package writes to no terminal and knows no exit status: it reports progress
// in events, asks through a callback, and returns distinguishable errors
// ([InputError], [ErrDeclined], [ErrToolsMissing], assay.ErrBusy). It has no global
// state, so that one process can conduct several runs at once, as long as they are
// on different hosts.
package session
