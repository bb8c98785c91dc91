# Prints the initial RAM disk of a guest, from the image in $2, further modules, and behind --
# files of this machine: programs with their libraries, and whole directories. Its init is read
# from stdin. $1 is a directory to work in.
cd "$1"
image=$2
shift 2
mkdir tree
cd tree
zcat "$image/initrd" | cpio -id --quiet
cat >init
chmod 755 init
kernel=$(debugfs -R 'ls -p /usr/lib/modules' "$image/root.ext4" 2>/dev/null | cut -d / -f 6 | grep '^[0-9]')
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	debugfs -R "dump /usr/lib/modules/$kernel/kernel/$1.ko modules/${1##*/}.ko" "$image/root.ext4" 2>/dev/null
	echo "${1##*/}.ko" >>modules/order
	shift
done
[ $# -eq 0 ] || shift
# needs prints the libraries of a program, and what loads them.
needs() { ldd "$1" | sed -n 's|.*[[:space:]]\(/[^ ]*\) (.*|\1|p'; }
for file; do
	echo "$file"
	[ -d "$file" ] || needs "$file"
done | sort -u | while read -r file; do
	mkdir -p ".${file%/*}"
	[ -e ".$file" ] || cp -RL "$file" ".$file"
done
find . | cpio --quiet -o -H newc -R 0:0 | gzip -1
