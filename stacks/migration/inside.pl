# inside ADDRESS LIMIT SILENCE LOAD: answers questions over UDP and TCP while the guest that it
# runs in is moved, changes LOAD bytes of memory per second, and writes to a disk. It prints the
# two ports and a key without which it answers nothing, and goes on in the background. It ends
# when it is asked for what it saw, when nobody has asked it anything for SILENCE seconds, and
# after LIMIT seconds; whatever ends it, nothing is left. Times are by the guest's own clock,
# which stands still while the guest does. It needs no more of Perl than perl-base has.
use strict;
use Fcntl qw(F_GETFL F_SETFL O_CREAT O_EXCL O_NONBLOCK O_RDWR O_DSYNC);
use POSIX ();
use Socket qw(inet_pton pack_sockaddr_in pack_sockaddr_in6 sockaddr_family unpack_sockaddr_in unpack_sockaddr_in6
	AF_INET AF_INET6 INADDR_ANY IN6ADDR_ANY IPPROTO_IPV6 IPPROTO_TCP IPV6_V6ONLY SOCK_DGRAM SOCK_STREAM SOL_SOCKET SO_REUSEADDR TCP_NODELAY);
my ($address, $limit, $silence, $load) = @ARGV;
$SIG{PIPE} = 'IGNORE';

# now is CLOCK_MONOTONIC; its system call has another number on each architecture.
my %number = (x86_64 => 228, i686 => 265, aarch64 => 113, riscv64 => 113, loongarch64 => 113, armv7l => 263, ppc64le => 246, s390x => 260);
my $number = $number{(POSIX::uname())[4]} or die "the clock of this architecture is not known\n";
my ($time, $word) = ("\0" x 32, length pack('l!', 0));

sub now {
	syscall $number, 1, $time;
	my ($s, $ns) = unpack 'l!l!', $time;
	return $s + $ns / 1e9;
}

sub pause { select undef, undef, undef, $_[0] if $_[0] > 0 }

# Sockets at the guest's address, or at all that it has.
sub bound {
	my ($type) = @_;
	for my $try (
		[AF_INET, sub { my $a = inet_pton(AF_INET, $address); $a && pack_sockaddr_in(0, $a) }],
		[AF_INET6, sub { my $a = inet_pton(AF_INET6, $address); $a && pack_sockaddr_in6(0, $a) }],
		[AF_INET6, sub { pack_sockaddr_in6(0, IN6ADDR_ANY) }],
		[AF_INET, sub { pack_sockaddr_in(0, INADDR_ANY) }],
	) {
		my $at = $try->[1]() or next;
		socket my $s, $try->[0], $type, 0 or next;
		setsockopt $s, IPPROTO_IPV6, IPV6_V6ONLY, pack('i', 0) if $try->[0] == AF_INET6;
		bind $s, $at or next;
		fcntl $s, F_SETFL, fcntl($s, F_GETFL, 0) | O_NONBLOCK;
		return $s;
	}
	die "no socket: $!\n";
}

sub port {
	my $at = getsockname $_[0];
	return (sockaddr_family($at) == AF_INET6 ? unpack_sockaddr_in6($at) : unpack_sockaddr_in($at))[0];
}

my ($asked, $door) = (bound(SOCK_DGRAM), bound(SOCK_STREAM));
listen $door, 8 or die "listen: $!\n";
open my $random, '<', '/dev/urandom' or die "urandom: $!\n";
sysread $random, my $key, 8;
$key = unpack 'H16', $key;
my ($port, $stream) = (port($asked), port($door));

$| = 1;
pipe my $begun, my $go or die "pipe: $!\n";
my $me = fork;
die "fork: $!\n" unless defined $me;
if ($me) {
	close $go;
	defined <$begun> or die "it did not begin\n";
	print "ready $port $stream $key\n";
	POSIX::_exit(0);
}
close $begun;
POSIX::setsid();
chdir '/';
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';

my %say; # what works beside this, by what it tells through
my %log; # and what each has told, for the end
$me = $$;

# beside has something work in a process of its own, which tells what it does.
sub beside {
	my ($work) = @_;
	pipe my $told, my $tell or return;
	my $child = fork;
	if (!defined $child) { return }
	if ($child) {
		fcntl $told, F_SETFL, fcntl($told, F_GETFL, 0) | O_NONBLOCK;
		$say{fileno $told} = $told;
		return;
	}
	close $_ for $told, $asked, $door, $go, values %say;
	if (open my $score, '>', '/proc/self/oom_score_adj') { syswrite $score, "1000\n" }
	$work->($tell);
	POSIX::_exit(0);
}

# orphaned reports whether nobody is left to work for.
sub orphaned { return getppid != $me }

# changes changes some bytes in each page of a piece of memory, round and round, so many pages in
# each tick, and tells every 100 ms how many bytes of pages those were. What it could not do in
# time it does not do later.
sub changes {
	my ($tell) = @_;
	my ($page, $tick) = (4096, .01);
	my $free = 64 << 20;
	if (open my $info, '<', '/proc/meminfo') {
		while (<$info>) { $free = $1 << 10 if /^MemAvailable: +(\d+) kB/ }
	}
	my $size = 4 * $load < $free / 2 ? 4 * $load : $free / 2;
	$size -= $size % $page;
	return if $size < $page;
	my $memory = "\1" x $size;
	syswrite $tell, "memory $size\n";
	my ($at, $n, $done, $told) = (0, 0, 0, 0);
	my $due = now();
	until (orphaned()) {
		my $t = now();
		$due = $t - $tick if $t - $due > 10 * $tick;
		for (my $left = ($t - $due) * $load; $left >= $page; $left -= $page) {
			vec($memory, $at >> 2, 32) = ++$n & 0xffffffff;
			$at = 0 if ($at += $page) >= $size;
			$done += $page;
			$due += $page / $load;
		}
		if ($t - $told >= .1) {
			syswrite $tell, sprintf("load %.6f %d\n", $t, $done) or return;
			$told = $t;
		}
		pause($tick - (now() - $t));
	}
}

# writes writes 4 KiB to a disk every 5 ms and waits until they are safe, and tells every 100 ms
# how many of that were done, and which took longest. The file has no name any more.
sub writes {
	my ($tell) = @_;
	my ($file, $name);
	for my $dir ('/var/tmp', '/tmp') {
		$name = "$dir/assay-write-$key";
		last if sysopen $file, $name, O_RDWR | O_CREAT | O_EXCL | O_DSYNC, 0600;
		undef $file;
	}
	return unless $file;
	my $device = (stat $file)[0];
	unlink $name;
	my $type = '-';
	if (open my $mounts, '<', '/proc/self/mountinfo') {
		my $is = sprintf '%d:%d', $device >> 8 & 0xfff, $device & 0xff | $device >> 12 & 0xfff00;
		while (<$mounts>) { $type = $1 if /^\d+ \d+ \Q$is\E .* - (\S+) / }
	}
	syswrite $tell, "disk $type\n";
	my ($block, $place, $n, $longest, $began, $told) = ('w' x 4096, 0, 0, 0, 0, now());
	until (orphaned()) {
		my $t = now();
		sysseek $file, 4096 * ($place++ & 255), 0;
		syswrite($file, $block) == 4096 or return;
		my $end = now();
		$n++;
		($longest, $began) = ($end - $t, $t) if $end - $t > $longest;
		if ($end - $told >= .1) {
			syswrite $tell, sprintf("write %.6f %d %.6f %.6f\n", $end, $n, $began, $longest) or return;
			($n, $longest, $told) = (0, 0, $end);
		}
		pause(.005 - (now() - $t));
	}
}

if ($load > 0) { # it takes a while to have the memory
	beside(\&changes);
	for my $from (keys %say) {
		my $reads = '';
		vec($reads, $from, 1) = 1;
		$log{$from} = '';
		sysread $say{$from}, $log{$from}, 4096 if select($reads, undef, undef, 50) > 0;
	}
}
beside(\&writes);
syswrite $go, "go\n";
close $go;

my %heard; # connections, with what of a question has come
my ($began, $last) = (now(), now());
while (1) {
	my $t = now();
	last if $t - $last > $silence || $t - $began > $limit;
	my $reads = '';
	vec($reads, $_, 1) = 1 for fileno $asked, fileno $door, keys %say, keys %heard;
	next if select($reads, undef, undef, 1) <= 0;
	while (vec($reads, fileno $asked, 1) && defined(my $from = recv $asked, my $question, 64, 0)) {
		next if length $question < 28 || substr($question, 0, 16) ne $key;
		$last = now();
		send $asked, substr($question, 0, 20) . pack('d>', $last), 0, $from;
	}
	if (vec($reads, fileno $door, 1) && accept my $c, $door) {
		if (keys %heard < 8) {
			fcntl $c, F_SETFL, fcntl($c, F_GETFL, 0) | O_NONBLOCK;
			setsockopt $c, IPPROTO_TCP, TCP_NODELAY, pack('i', 1);
			$heard{fileno $c} = {socket => $c, read => '', known => 0};
		}
	}
	for my $from (grep { vec $reads, $_, 1 } keys %say) {
		my $n = sysread $say{$from}, my $text, 4096;
		$log{$from} .= $text if $n;
		delete $say{$from} if defined $n && !$n;
	}
	for my $from (grep { vec $reads, $_, 1 } keys %heard) {
		my $c = $heard{$from};
		my $n = sysread $c->{socket}, $c->{read}, 4096, length $c->{read};
		next if !defined $n && $!{EAGAIN};
		if (!$c->{known} && length $c->{read} >= 16) {
			$c->{known} = substr($c->{read}, 0, 16, '') eq $key or $n = 0;
		}
		if (!$n || !$c->{known} && length $c->{read} >= 16) { delete $heard{$from}; next }
		next unless $c->{known};
		my $whole = length($c->{read}) & ~3;
		next unless $whole;
		$last = now();
		my $questions = substr $c->{read}, 0, $whole, '';
		if (substr($questions, -4) eq "\xff\xff\xff\xff") {
			fcntl $c->{socket}, F_SETFL, fcntl($c->{socket}, F_GETFL, 0) & ~O_NONBLOCK;
			alarm 60;
			print {$c->{socket}} join('', values %log), "end\n";
			close $c->{socket};
			exit;
		}
		syswrite $c->{socket}, $questions;
	}
}
