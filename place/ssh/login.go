package ssh

import "assay/place/remote"

// asRoot runs its argument as root.
const asRoot = `LC_ALL=C; export LC_ALL; if [ $(id -u) = 0 ]; then eval "$1"; exit; fi; ` +
	`if command -v sudo >/dev/null 2>&1; then exec sudo -n sh -c "$1"; fi; echo assay-no-sudo >&2; exit 127`

// loginCommand returns the command that ssh hands to the login shell.
func loginCommand(sudo bool) string {
	if sudo {
		return "exec sh -c '" + asRoot + "' sh '" + remote.Reader + "'"
	}
	return "exec sh -c '" + remote.Reader + "'"
}
