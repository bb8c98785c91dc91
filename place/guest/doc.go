// Package guest runs commands in virtual machines through their guest agent, from a
// shell on the hypervisor: it needs no network, address or key inside the guest.
//
// The agent starts programs and returns their output when they end. So a command gets
// a directory in the guest's memory, with a pipe to the far-side sh of package remote
// and files for its streams, which are read while it runs. A command that is not
// contacted for half a minute ends, and its directory is removed. Output arrives up to
// a second late, so Output.Elapsed may be a second more than the command took.
//
// A Windows guest has no such sh: see Windows, which starts programs directly.
//
// The package knows the agents' protocols, never what is run through them. The agent
// must allow guest-exec.
package guest
