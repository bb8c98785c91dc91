// Package anonymise removes identifying data from runs, so that they can be shown to
// others: names of hosts and users, serial numbers, hardware and network addresses,
// world-wide names, UUIDs, names of directories except common ones, of files under loop
// devices, interfaces, pools, networks and volumes, and the path of the hosts file.
//
// The same thing gets the same pseudonym throughout a file, in fields, ids, notes and
// tool output alike, so that what belongs together still does. Figures and hardware
// models stay as they are.
//
// It works in two passes. Learn sees everything first: what a field identifies by its
// meaning (a host's name, a drive's serial number), and what a text labels ("Serial
// Number: …", "/home/…"), is then found wherever it occurs. Clean replaces it. Anything
// with a recognisable form (addresses, UUIDs) is found without being learnt.
//
// Command lines, tool input and tool output are free text, in which a name cannot be
// distinguished from a word. There only numbers, units and words known from tools stay
// (words.txt), so that parsers still read the same figures. The same holds for assay's
// own statements (a finding, a hint, what a host reported as missing), for the names of
// running programs and the values of mount options, where words of assay's texts
// (prose.txt) and of hardware makers stay too. A name that is also such a word, is in
// no field and has no recognisable form is not found: no tool can promise more. Names
// shared by very many machines and users (localhost, root, ubuntu) are left in texts,
// as are words of assay's own vocabulary within longer words.
//
// The package is pure: it reads no files and makes no requests.
package anonymise
