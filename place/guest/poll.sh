# Prints what is new in the streams of the session in $1, from byte $2 of out and $3 of
# err on and at most $4 bytes of each, in base64; then whether it goes on. One that is
# over and read is not removed here: this answer may get lost.
cd "$1" 2>/dev/null || { echo gone && exit; }
: >alive
state=running
[ ! -e over ] || state=over
more=
for stream in out err; do
	from=$2
	[ $stream = out ] || from=$3
	piece=$(tail -c "+$from" $stream 2>/dev/null | head -c "$4" | base64 | tr -d '\n')
	echo "$stream $piece"
	left=$(tail -c "+$from" $stream 2>/dev/null | head -c "$(($4 + 1))" | wc -c)
	[ "$left" -le "$4" ] || more=yes
done
if [ $state = over ] && [ -z "$more" ]; then
	echo over
else
	echo "running $more"
fi
