# Prints which addresses the interfaces have, and what is mounted. It reads only.
#
#   sh -s < ask.sh
#
# POSIX sh as dash, bash and BusyBox ash have it. Every line of content begins
# with a space; every other line is a section.

LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL PATH

printf '@@ assay-survey 1\n'
if command -v ip >/dev/null 2>&1; then
	printf '@@ addresses\n'
	ip -o addr show </dev/null 2>/dev/null | sed 's/^/ /'
fi
printf '@@ mounts\n'
sed 's/^/ /' /proc/self/mountinfo 2>/dev/null
printf '\n@@ end\n'
