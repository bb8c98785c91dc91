# Runs $2 in the directory $1. The agent starts this itself: sh would have what runs in
# its background ignore SIGINT.
sh -c "$2" <"$1/in" >"$1/out" 2>"$1/err"
: >"$1/over"
