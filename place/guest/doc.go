// Package guest runs commands in virtual machines through their guest agent, from a
// shell on the hypervisor: it needs no network, address or key inside the guest.
//
// The agent starts programs and returns what they printed at their end. So a command
// gets a directory in the guest's memory with a pipe that leads to the far-side sh of
// package remote and files that its streams are written to, which are read while it
// runs. A command that does not hear from here for half a minute ends, with its
// directory. What it prints arrives up to a second late, so that Output.Elapsed may be
// a second more than the command took.
//
// A guest of Windows has no such sh: see Windows, which starts programs as they are.
//
// The package knows the agents' words, never what is run through them. The agent must
// allow guest-exec.
package guest
