# try COMMAND INTERVAL PATIENCE: has sh run a command again and again, one at a time and each begun
# INTERVAL seconds after the one before or when that has ended, and says of each when it began,
# how long it took, and "ok" or why not. One that takes more than PATIENCE seconds is lost, and
# is killed with its process group. So is the last one when this ends, whatever ends it.
use strict;
use POSIX ();
use Time::HiRes qw(alarm sleep time);
my ($command, $interval, $patience) = @ARGV;
$| = 1;

# A keeper reads which process group runs, or 0, until nobody is left to tell it.
pipe my $told, my $tell or die "pipe: $!\n";
my $keeper = fork;
die "fork: $!\n" unless defined $keeper;
if (!$keeper) {
	setpgrp 0, 0; # what ends this group is not to end the keeper first
	close $_ for $tell, *STDIN, *STDOUT, *STDERR;
	my $group = 0;
	$group = $_ + 0 while <$told>;
	kill '-KILL', $group if $group;
	POSIX::_exit(0);
}
close $told;

sub begin {
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	return $pid if $pid;
	setpgrp 0, 0;
	syswrite $tell, "$$\n"; # before it can outlive anything
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', '/dev/null';
	exec 'sh', '-c', $command;
	POSIX::_exit(127);
}

my ($at, $running) = (0, 0);
sub stop { kill '-KILL', $running if $running }
$SIG{INT} = $SIG{TERM} = sub { stop(); exit };
# Ticks also have a signal heard that came just before a wait.
$SIG{ALRM} = sub { stop() if time - $at > $patience };

my $next = time;
for (;;) {
	my $left = $next - time;
	sleep $left < $interval ? $left : $interval if $left > 0; # the clock may have been set
	$at = time;
	$next = $at + $interval;
	$running = begin();
	alarm .1, .1;
	waitpid $running, 0;
	my ($took, $status) = (time - $at, $?);
	alarm 0;
	stop(); # what it left behind
	$running = 0;
	syswrite $tell, "0\n";
	my $word = $status & 127 ? 'signal-' . ($status & 127) : $status ? 'status-' . ($status >> 8) : 'ok';
	printf "%.6f %.6f %s\n", $at, $took, $took > $patience ? 'lost' : $word;
}
