import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperatorHost } from '../installed-host.ts'
import { defineInjection, script } from './define-injection.ts'

// What a podman process does that hangs in the middle of a transaction: a write lock on SQLite's lock bytes, which begin at 1 GiB.
const program = `
open(my $database, '+<', $ARGV[0]) or die "open: $!";
my $write_lock = pack('s s x![q] q q l x![q]', 1, 0, 1 << 30, 512, 0);
fcntl($database, 7, $write_lock) or die "fcntl: $!";
open(my $note, '>', '/run/holder.new');
print $note $$;
close($note);
rename('/run/holder.new', '/run/holder');
sleep 1 while 1;
`

/** Locks podman's database from a process that is stopped, and so deaf to being asked to end. */
async function holdLock(host: OperatorHost): Promise<void> {
  writeFileSync(join(host.root, 'root/hold.pl'), program)
  await host.shell(`
    rm -f /run/holder
    perl /root/hold.pl /var/lib/containers/storage/db.sql </dev/null >/dev/null 2>&1 &
    timeout 60 sh -c "until [ -s /run/holder ]; do sleep 0.1; done"
    kill -STOP "$(cat /run/holder)"`)
}

export const containerRuntimeLock = defineInjection({
  fault: 'container-runtime-lock',
  how: "a stopped process holds the write lock of podman's database",
  evidence: /process \d+, started \S+, stopped: perl \/root\/hold\.pl .* held the lock in/,
  inject: holdLock,
  restore: script('[ ! -s /run/holder ] || kill -KILL "$(cat /run/holder)" 2>/dev/null || true; rm -f /run/holder'),
})
