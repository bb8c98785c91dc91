# $3: blocks to read of each layer; $4: a block of the upper one that failed, or -1
file=$(cat "/sys/class/block/$device/loop/backing_file" 2>/dev/null)
if [ -n "$file" ]; then
	printf 'file\t%s\t%s\t%s\n' "$(($(blocks "$device") * 4096))" "$(stat -L -c %s -- "$file" 2>/dev/null || echo -1)" "$(printf %s "$file" | tr '\n\t' '  ')"
	[ -b "$file" ] && lower=${file##*/}
fi
for s in "/sys/class/block/$device/slaves"/*; do
	[ -e "$s" ] && lower="$lower ${s##*/}"
done
[ "$4" -lt 0 ] || block "$device" "$4"
of=0
for name in $lower; do
	of=$((of + 1))
	[ "$of" -le 8 ] || break
	printf 'lower\t%s\n' "$name"
done
i=0
while [ "$i" -lt "$3" ]; do # in turns, so that what comes and goes meets both
	of=0
	for name in "$device" $lower; do
		of=$((of + 1))
		[ "$of" -le 9 ] || break
		block "$name" $(($(blocks "$name") * i / $3))
	done
	i=$((i + 1))
done
exit 0
