at=$3
while [ "$at" -le "$4" ]; do
	block "$device" "$at"
	at=$((at + 1))
done
exit 0
