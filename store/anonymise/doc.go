// Package anonymise takes out of runs what says whose they are, so that they can
// be shown to others: names of hosts and users, serial numbers, hardware and
// network addresses, world-wide names, UUIDs, names of directories but usual ones,
// of files under loop devices, interfaces, pools, networks and volumes,
// and where the file with the hosts stands.
//
// The same thing gets the same pseudonym all through one file, in fields, ids,
// notes and in what tools printed alike, so that what belongs together still does.
// The figures, and what hardware it was, stay as they are.
//
// It works in two passes. Learn is shown everything first: what stands in a field
// that says what it is (a host's name, a drive's serial number), and what a text
// says of itself ("Serial Number: …", "/home/…"), is then found wherever it turns
// up. Clean replaces it. What has a form of its own (addresses, UUIDs) is found
// without having been learnt.
//
// What tools were told and printed is free text, in which a name cannot be told from a
// word. There only numbers, units and words that tools are known to use stay (words.txt),
// so that parsers still read the same figures. So it is with what assay itself says (a
// finding, a hint, what a host said is missing), where words of assay's texts (prose.txt)
// and of the hardware's makers stay too. A name that is also such a word, stands in no
// field and has no form of its own is not found: nobody can promise more. Names that
// very many machines and users have (localhost, root, ubuntu) are left in texts,
// as are words of assay's own vocabulary within longer words.
//
// The package is pure: it reads no file and asks nobody.
package anonymise
