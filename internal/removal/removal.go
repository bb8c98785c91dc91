package removal

import _ "embed" // the script

// Script is text for POSIX sh that defines remove_tree.
//
//go:embed remove.sh
var Script string
