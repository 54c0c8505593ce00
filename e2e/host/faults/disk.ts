import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { defineInjection, running } from './define-injection.ts'

const volume = '/var/lib/containers/storage/volumes/logstack_data_search/_data'
// Without loop devices no file can be mounted as a disk.
const needed = ['/dev/loop-control', '/sbin/mkfs.ext4']
const makeLimitMs = 60_000
const filler = `${volume}/filler`

/** Why no file can be mounted as a disk here, or undefined. */
export function whyNoDisk(): string | undefined {
  return needed.find((path) => !existsSync(path))
}

/** A file that can be mounted as a disk of 1 GB, made out here, as a small host has no mkfs. One that is there stays. */
export async function makeDisk(image: string): Promise<void> {
  if (existsSync(image)) return
  await runCommand(['truncate', '--size=1G', image], { timeoutMs: makeLimitMs })
  await runCommand(['mkfs.ext4', '-q', '-m', '0', image], { timeoutMs: makeLimitMs })
}

/** Moves search's data onto the disk in a file, unless they lie on one already. */
const onSmallDisk = `
      set -e
      if ! mountpoint --quiet ${volume}; then
        mkdir -p /mnt/small
        systemctl stop logstack-search.service
        mount -o loop /var/tmp/small-disk /mnt/small
        cp --archive ${volume}/. /mnt/small
        chown --reference=${volume} /mnt/small
        chmod --reference=${volume} /mnt/small
        umount /mnt/small
        mount -o loop /var/tmp/small-disk ${volume}
        systemctl start logstack-search.service
      fi`

export const diskSpace = defineInjection({
  fault: 'disk-space',
  how: "search's data lies on a file system of its own (a loop-mounted ext4 of 1 GB), which another file fills up to 2 %",
  evidence: /volumes\/logstack_data_search\/_data has \d+ MiB of \S+ MiB free \([0-4] %\)/,
  follows: ['disk-block', 'agent-spool', 'agents', 'parts-down', 'restart-loop', 'companion-units'],
  isLeft: true,
  whyNot: whyNoDisk,
  async inject(host) {
    await makeDisk(join(host.root, 'var/tmp/small-disk'))
    await host.shell(onSmallDisk)
    await host.allUp()
    await host.shell(`
      free=$(df --output=avail --block-size=1M ${volume} | tail -n 1)
      fallocate --length "$((free - 20))M" ${filler}`)
  },
  restore: running('rm', '-f', filler),
})

const manyFiles = `${volume}/many`

export const diskFiles = defineInjection({
  fault: 'disk-space',
  name: 'disk-space-files',
  how: "search's data lies on a file system of its own (a loop-mounted ext4 of 1 GB with 65536 inodes), on which empty files take all places of files but 1000",
  evidence: /volumes\/logstack_data_search\/_data has \d+ of \d+ files \(inodes\) free \([0-4] %\)/,
  isLeft: true,
  whyNot: whyNoDisk,
  async inject(host) {
    await makeDisk(join(host.root, 'var/tmp/small-disk'))
    await host.shell(onSmallDisk)
    await host.allUp()
    await host.shell(`
      mkdir -p ${manyFiles}
      free=$(df --output=iavail ${volume} | tail -n 1)
      cd ${manyFiles}
      seq "$((free - 1000))" | xargs touch
      chown -R --reference=${volume} ${manyFiles}`)
  },
  restore: running('rm', '-rf', manyFiles),
})
