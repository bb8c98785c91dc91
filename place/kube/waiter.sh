# The first process of a pod that waits for commands. It gets
#   $1   programs that there must be, with blanks between; what is missing is
#        installed with apk or apt-get
#   ...  directories that outlive the pod
# and says "assay: ready" when all is there. Told to end, it removes the scratch
# directories that were made in those directories from this very pod: those of
# other pods, of this run or another, may be in use. remove_tree is of internal/removal.
wanted=$1
shift
PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH

# What is made in a pod has a file .pod that says in which: the number of its
# process namespace, and its name.
pod="$(readlink /proc/self/ns/pid) $(uname -n)"

# scratch gives the directories .assay-ID of those directories that are this
# pod's, one a line.
scratch() {
	for at in "$@"; do
		for dir in "$at"/.assay-*; do
			[ -d "$dir" ] && [ ! -L "$dir" ] || continue
			case ${dir##*/.assay-} in
			'' | *[!0-9a-z]*) ;;
			*) [ "$(cat "$dir/.pod" 2>/dev/null)" != "$pod" ] || printf '%s\n' "$dir" ;;
			esac
		done
	done
}

# finish ends all commands first: what still writes cannot be removed.
finish() {
	trap '' TERM INT
	[ $$ -ne 1 ] || kill -s KILL -- -1 2>/dev/null
	scratch "$@" | while IFS= read -r dir; do
		remove_tree "$dir" && echo "assay: removed $dir"
	done
	exit 0
}

missing() {
	for program in $wanted; do
		command -v "$program" >/dev/null 2>&1 || printf ' %s' "$program"
	done
}

# packages gives those that hold programs; $1 is what holds ping.
packages() {
	ping=$1
	shift
	for program in "$@"; do
		case $program in
		ping) echo "$ping" ;;
		*) echo "$program" ;;
		esac
	done
}

# fetch installs programs.
fetch() {
	if command -v apk >/dev/null 2>&1; then
		apk add --no-cache $(packages iputils "$@")
	elif command -v apt-get >/dev/null 2>&1; then
		DEBIAN_FRONTEND=noninteractive
		export DEBIAN_FRONTEND
		apt-get update -q && apt-get install -y -q --no-install-recommends $(packages iputils-ping "$@")
	else
		echo "the image has neither apk nor apt-get"
	fi
}

trap 'finish "$@"' TERM INT
need=$(missing)
if [ -n "$need" ]; then
	echo "assay: installing$need"
	fetch $need 2>&1 &
	wait $!
	need=$(missing)
	if [ -n "$need" ]; then
		echo "assay: could not install$need"
		exit 1
	fi
fi
echo "assay: ready"
while :; do
	sleep 3600 &
	wait $!
done
