# try COMMAND INTERVAL PATIENCE: has sh run a command again and again, one at a time and each begun
# INTERVAL seconds after the one before or when that has ended, and says of each when it began,
# how long it took, and "ok" or why not. One that takes more than PATIENCE seconds is lost, and
# is killed with its process group. So is the last one when this ends, whatever ends it.
my ($command, $interval, $patience) = @ARGV;
my $at = 0;
# Ticks also have a signal heard that came just before a wait.
$SIG{ALRM} = sub { stop() if time - $at > $patience };

my $next = time;
for (;;) {
	my $left = $next - time;
	sleep $left < $interval ? $left : $interval if $left > 0; # the clock may have been set
	$at = time;
	$next = $at + $interval;
	$running = begin($command);
	alarm .1, .1;
	waitpid $running, 0;
	my ($took, $status) = (time - $at, $?);
	alarm 0;
	over();
	my $word = $status & 127 ? 'signal-' . ($status & 127) : $status ? 'status-' . ($status >> 8) : 'ok';
	printf "%.6f %.6f %s\n", $at, $took, $took > $patience ? 'lost' : $word;
}
