// Package session conducts runs: it reaches the hosts, puts storage tiers in
// place, holds the hosts against other runs, installs tools, carries the plan
// out, audits and stores what was measured, and takes away what was made for it.
//
// Everything that a front end needs to measure is here, so that a command line
// and a server conduct a run in the same way:
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
// killed runs left behind, and [AskHosts] and [AskTargets] ask hosts what they are.
//
// The package writes to no terminal and knows no exit status: it tells of progress
// in events, asks through a callback, and returns errors that can be told apart
// ([InputError], [ErrDeclined], [ErrToolsMissing], assay.ErrBusy). It keeps no
// state of its own, so that one process can conduct several runs at once, as long
// as they are on different hosts.
package session
