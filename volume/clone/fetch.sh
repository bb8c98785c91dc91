# Downloads the URL on stdin, and no more than $1 bytes of it. put stores it, as the further words
# say.
most=$1
shift
read -r url
if command -v curl >/dev/null; then
	get() { printf 'url = "%s"\n' "$url" | curl -fsSL --proto '=http,https' --proto-redir '=http,https' --connect-timeout 30 --retry 2 --speed-limit 1024 --speed-time 60 -K -; }
elif command -v wget >/dev/null; then
	get() { printf '%s\n' "$url" | wget -nv -O - --tries=1 --timeout=60 -i -; }
else
	exit 80
fi
ended=$({
	{ get; echo "get=$?" >&3; } | head -c "$most" | {
		put "$@"
		echo "put=$?" >&3
	}
} 3>&1)
for end in $ended; do
	case $end in
	put=0 | get=0) ;;
	put=*) exit 1 ;;
	get=*) failed=${end#get=} ;;
	esac
done
case ${failed:-0} in
0) ;;
3 | 23 | 141) exit 81 ;; # nobody read what else there was
*)
	echo "the download failed with status $failed" >&2
	exit 2
	;;
esac
