# What runs on the other host, for one command, in its POSIX sh. Set before this text:
#   $key      a word that no output holds; it opens every line meant for the caller
#   $bytes    how long the command's stdin is
#   $held     not empty: the command waits for "$key go"; where it has a stdin it does
#   $bound    how many seconds the command may take, "" for any
#   $beat     after how many silent seconds the caller is taken for gone
#   $linger   not empty: stay until the caller hangs up
#   environ   a function that exports the command's environment
#   kill_marked, of marked.sh
#   $mark     NAME=value, a variable in that environment, and in the timer's
#   "$@"      the command
# and stdin holds, after this text: $bytes bytes for the command, the line
# "$key go" if it is held, and then a line now and again for as long as the caller is there. A
# line "$key enough" among these has the command sent SIGINT: it may end by itself.
#
# Who is who:
#   feed | body | guard
#            |- the command, in a session of its own
#            |- timer    says "bound" to guard when the time is over
#            '- watch    says "lost" to guard when the caller is gone, and "enough"
#                        when it has heard enough
# guard alone kills, and has the last word. Nothing is written to any disk.

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export PATH
exec 3<&0 6>&1 7>&2 </dev/null >/dev/null 2>&1
# path NAME: leaves where a program is in $at, mostly without a process.
path() {
	for at in "/usr/bin/$1" "/bin/$1"; do
		[ ! -x "$at" ] || return 0
	done
	at=$(command -v "$1")
}
path sh
shell=$at
path setsid
setsid=$at

# The command's bytes go through memory: until all are here, dd passes on none.
feed() {
	{
		echo
		head -c "$bytes" <&3
	} | dd ibs=65536 obs="$((bytes + 2))"
}

# runnable says whether there is such a program, as execvp would: 1 no, 2 not executable.
runnable() {
	case $1 in
	*/*)
		[ -e "$1" ] || return 1
		[ -x "$1" ] && [ ! -d "$1" ] || return 2
		return 0
		;;
	esac
	set -f
	IFS=:
	for dir in $PATH; do
		[ -f "${dir:-.}/$1" ] && [ -x "${dir:-.}/$1" ] && return 0
	done
	return 1
}

# watch reads the caller's beats. dash cannot wait for a limited time, so bash
# does it where it is; where neither can, only a closed connection is seen.
watch() {
	if [ -z "$BASH_VERSION" ] && command -v bash; then
		exec bash -c 'while read -r -t "$1" word; do [ -z "$word" ] || echo enough >&8; done; echo lost >&8' bash "$beat"
	fi
	(read -r -t 1 word </dev/null)
	if [ $? -eq 1 ]; then
		while read -r -t "$beat" word; do [ -z "$word" ] || echo enough >&8; done
	else
		while read -r word; do [ -z "$word" ] || echo enough >&8; done
	fi
	echo lost >&8
}

# body runs the command in the foreground: sh has what runs in the background
# ignore SIGINT. All that happens is told to guard, on 8.
body() {
	if [ -n "$held" ]; then
		read -r all_is_here || exit
		echo "$key fed" >&6
		read -r go <&3
		[ "$go" = "$key go" ] || exit
	fi
	echo "$key begin" >&6
	echo "$key begin" >&7
	(environ && runnable "$1")
	case $? in
	0) ;;
	2) echo "over denied" >&8 && exit ;;
	*) echo "over none" >&8 && exit ;;
	esac
	watch <&3 6>&- 7>&- &
	watcher=$!
	timer=
	if [ -n "$bound" ]; then
		# busybox may be built without fractions.
		(
			export "$mark"
			exec $setsid "$shell" -c 'sleep "$1" 8>&- || sleep "$((${1%.*} + 1))" 8>&-; echo bound >&8' \
				sh "$bound" 3<&- 6>&- 7>&-
		) &
		timer=$!
	fi
	(
		environ
		exec $setsid "$shell" -c 'echo "leader $$" >&8; exec "$@" >&6 2>&7 3<&- 6>&- 7>&- 8>&-' sh "$@"
	)
	echo "over $?" >&8
	times >&8
	kill -KILL "$watcher"
	[ -z "$timer" ] || end_timer
}

# end_timer ends the timer with its sleep. It may become a group of its own between two
# signals: then the first finds no group, and the second leaves the sleep.
end_timer() {
	kill -s KILL -- "-$timer" || { kill -KILL "$timer"; kill -s KILL -- "-$timer"; }
}

# tell sends the signal to the command's group, or to it alone where there is no setsid.
tell() { kill -s "$1" -- "-$leader" || kill -s "$1" "$leader"; }

# end_tree ends the command and all that it started: politely, then surely.
end_tree() {
	tell TERM
	tries=7
	while [ $tries -gt 0 ] && tell 0; do
		sleep 0.1 || sleep 1
		tries=$((tries - 1))
	done
	tell KILL
	kill_marked "$mark"
}

# guard hears what happens and acts on it, until nobody is left to speak.
guard() {
	leader='' status='' fired='' cpu=''
	while read -r event; do
		case $event in
		"leader "*)
			leader=${event#* }
			[ -z "$fired" ] || end_tree
			;;
		"over "*) status=${event#* } ;;
		enough) [ -z "$leader" ] || [ -n "$fired$status" ] || kill -s INT "$leader" ;;
		lost | bound)
			[ -z "$fired$status" ] || continue
			fired=$event
			[ -z "$leader" ] || end_tree
			;;
		*) cpu=$event ;; # times: the second of its lines is about the children
		esac
	done
	# What outlived the command must not outlive its answer; what left its group
	# on purpose may. Where there are no groups, nothing tells them apart.
	[ -z "$leader" ] || tell KILL
	[ -n "$setsid" ] || kill_marked "$mark"
	echo "$key end status=${status:-lost} fired=$fired cpu=$cpu" >&6
	echo "$key end status=${status:-lost} fired=$fired cpu=$cpu" >&7
}

if [ -n "$held" ]; then
	feed 6>&- 7>&- | body "$@" 8>&1 >/dev/null | guard 3<&-
else
	body "$@" 8>&1 >/dev/null | guard 3<&-
fi
if [ -n "$linger" ]; then
	while read -r word; do :; done <&3
fi
exit 0
