# remove_tree DIR removes DIR, whose name no other directory has, with all that is in
# it; nothing where somebody has mounted something there. It asks the kernel:
# rm --one-file-system takes a bind mount from the same file system for a directory
# like others, and BusyBox does not have it.
remove_tree() {
	if [ -r /proc/self/mountinfo ]; then
		while read -r _ _ _ _ mount_point _; do
			case $mount_point/ in
			*/"${1##*/}"/*)
				echo "$mount_point is a mount point: unmount it first" >&2
				return 1
				;;
			esac
		done </proc/self/mountinfo
	fi
	rm -rf -- "$1"
}
