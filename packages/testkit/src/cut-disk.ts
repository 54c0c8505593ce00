import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A file system of its own whose power can be cut. */
export interface CutDisk {
  /** False where there can be none: not root, no loop devices, no ext4. Nothing else works then. */
  readonly isPossible: boolean
  /** Where those who use it see it, empty at first. */
  readonly path: string
  /** The command that runs a program with the disk, which nobody else sees, until it ends. Two must not run at one time. */
  command(argv: readonly string[]): readonly [command: string, argv: readonly string[]]
  /** From now on nothing that the process with this id writes reaches the disk, and what was not flushed to it never did: what a machine without power leaves. */
  cut(pid: number): void
  /** Resolves when nobody uses the disk any more: what is run next finds what was on it. */
  released(): Promise<void>
  remove(): void
}

/** Of a disk that is near no watermark; hardly any of it is ever written. */
const diskBytes = 64 * 1024 ** 3
const releasedMsMax = 10_000

const withDisk = 'mount -o loop "$1" "$2" && shift 2 && exec "$@"'
// `FS_IOC_SHUTDOWN` without flushing the log (include/uapi/linux/fs.h), by what every Debian has.
const shutDown = 'sysopen(my $f, $ARGV[0], 0) or die; my $flags = pack("L", 2); ioctl($f, 0x8004587D, $flags) or die'

function succeeds(command: string, ...argv: string[]): boolean {
  return spawnSync(command, argv, { stdio: 'ignore' }).status === 0
}

/**
 * Makes an ext4 in a file. A killed process leaves what it wrote with the kernel, which brings it to the disk later; only a cut shows what a program flushed itself.
 */
export function cutDisk(): CutDisk {
  const folder = mkdtempSync(join(tmpdir(), 'logstack-cut-disk-'))
  const [image, path] = [join(folder, 'image'), join(folder, 'mounted')]
  // In a namespace of its own: other programs that begin one meanwhile would keep a mount that all see, and the next would find it as it was when it was cut.
  const command = (argv: readonly string[]) =>
    ['unshare', ['-m', 'bash', '-c', withDisk, 'bash', image, path, ...argv]] as const
  const [trial, trialArgv] = command(['perl', '-e', shutDown, path])
  const makeDisk = (): boolean => {
    if (process.getuid?.() !== 0) return false
    writeFileSync(image, '')
    truncateSync(image, diskBytes)
    return succeeds('mkfs.ext4', '-q', '-F', image) && succeeds(trial, ...trialArgv)
  }
  mkdirSync(path)
  return {
    path,
    isPossible: makeDisk(),
    command,
    cut(pid) {
      if (!succeeds('perl', '-e', shutDown, `/proc/${pid}/root${path}`)) throw new Error('the disk could not be cut')
    },
    async released() {
      const untilMs = Date.now() + releasedMsMax
      while (spawnSync('losetup', ['-j', image], { encoding: 'utf8' }).stdout.trim() !== '') {
        if (Date.now() > untilMs) throw new Error(`somebody still uses ${image}`)
        await sleep(20)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
