# usage: sh -c TEXT
#
# What of DRBD a host has and uses, in sections that begin with "== NAME". Secrets that peers
# share are left out.
echo '== node'
uname -n
echo '== proc'
cat /proc/drbd 2>/dev/null
echo '== devices'
for d in /sys/block/drbd*; do [ -e "$d" ] && echo "${d##*/drbd}"; done
echo '== show'
drbdsetup show 2>/dev/null | sed /shared-secret/d
echo '== dump'
drbdadm dump 2>/dev/null | sed /shared-secret/d
echo '== ports'
cat /proc/net/tcp /proc/net/tcp6 2>/dev/null
command -v drbdadm >/dev/null || { echo 'drbdadm: not found' >&2; exit 127; }
command -v drbdsetup >/dev/null || { echo 'drbdsetup: not found' >&2; exit 127; }
