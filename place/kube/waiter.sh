# The first process of a pod that waits for commands. It gets
#   $1   programs that there must be, with blanks between; what is missing is
#        installed with apk or apt-get
#   ...  directories that outlive the pod
# and says "assay: ready" when all is there. Told to end, it removes the scratch
# directories that were not in those directories when it began.
wanted=$1
shift
PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
line='
'

# scratch gives the directories .assay-ID of those directories, one a line.
scratch() {
	for at in "$@"; do
		for dir in "$at"/.assay-*; do
			[ -d "$dir" ] && [ ! -L "$dir" ] || continue
			case ${dir##*/.assay-} in
			'' | *[!0-9a-z]*) ;;
			*) printf '%s\n' "$dir" ;;
			esac
		done
	done
}

# finish ends all commands first: what still writes cannot be removed.
finish() {
	trap '' TERM INT
	[ $$ -ne 1 ] || kill -s KILL -- -1 2>/dev/null
	scratch "$@" | while IFS= read -r dir; do
		case $line$there$line in
		*"$line$dir$line"*) ;;
		*) rm -rf -- "$dir" && echo "assay: removed $dir" ;;
		esac
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

there=$(scratch "$@")
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
