import { existsSync } from 'node:fs'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { restartParts } from '../../mending/restart-parts.ts'
import { host } from '../../places/host.ts'
import { lies, type MountedAt, type MountWanted, mountedNow, mountsWanted } from '../../places/mounts.ts'
import type { Paths } from '../../places/paths.ts'

interface Found {
  readonly missing: readonly MountWanted[]
  /** Where something is mounted, and nothing can be written. */
  readonly readOnly: readonly string[]
}

const mountLimitMs = 60_000
const searchVolume = 'logstack_data_search'

/**
 * A disk that holds what the stack keeps is not mounted, or can only be read. Parts do not start without the disk of their data
 * (`programs/prepare-part.ts`); one that ran, or an archive within them, goes on in the empty folder below.
 */
export const mounts = defineFault<Found>({
  name: 'mounts',
  title: 'disks of the stack',
  runtimes: ['podman'],
  async diagnose(context) {
    const { paths } = context.stack
    const found = judgeMounts(foldersOf(paths), mountsWanted(), mountedNow())
    const { missing, readOnly } = found
    if (missing.length + readOnly.length === 0) return wellOrUnguarded(context)
    return {
      status: 'fault',
      problem: [
        ...missing.map(({ point }) => `no disk is mounted at ${point}, as /etc/fstab says`),
        ...readOnly.map((point) => `nothing can be written at ${point}: it is mounted read-only`),
      ].join('; '),
      evidence: [
        ...missing.map(({ source }) => `${source} ${isThere(source) ? 'is there' : 'is not there: is it connected?'}`),
        ...readOnly.map((point) => `${point} is read-only in /proc/self/mountinfo`),
      ],
      meaning: [
        ...(missing.length > 0
          ? [
              'parts whose data are on it do not start; what else is on it is not seen, and new files lie in the folder below',
            ]
          : []),
        ...(readOnly.length > 0 ? ['nothing new is stored; the kernel does so when a disk has errors'] : []),
      ].join('; '),
      found,
    }
  },
  plan({ stack }, { missing, readOnly }) {
    return [
      ...missing.map(({ point }) => `mount ${point}`),
      ...partsOn(stack.paths, missing).map((part) => `systemctl restart ${containerName(part)}.service`),
      ...(missing.length > 0 ? startAllCommands(stack) : []),
      ...readOnly.map(
        (point) => `# why, and whether the disk is well: dmesg | tail; then: mount -o remount,rw ${point}`,
      ),
    ]
  },
  async repair({ stack }, { missing }, progress) {
    for (const { point } of missing) await runCommand(['mount', point], { timeoutMs: mountLimitMs })
    if (missing.length === 0) return
    // A container keeps the folder that it was started with.
    await restartParts(stack, partsOn(stack.paths, missing), progress)
    await startAll(stack, progress)
  },
})

/** What of the table is not mounted though one of the folders lies on it or holds it, and where one of them cannot be written. */
export function judgeMounts(
  folders: readonly string[],
  wanted: readonly MountWanted[],
  mounted: readonly MountedAt[],
): Found {
  const missing = wanted.filter(
    ({ point }) =>
      folders.some((folder) => lies(folder, point) || lies(point, folder)) &&
      !mounted.some((one) => one.point === point),
  )
  const below = folders.flatMap((folder) => [
    ...mounted.filter(({ point }) => lies(point, folder)),
    ...mounted
      .filter(({ point }) => lies(folder, point))
      .sort((one, other) => one.point.length - other.point.length)
      .slice(-1),
  ])
  // Of several at one place the last one is seen.
  const seen = below.filter((one) => one === mounted.findLast(({ point }) => point === one.point))
  const readOnly = seen.filter((one) => one.readOnly).map(({ point }) => point)
  return { missing, readOnly: [...new Set(readOnly)] }
}

// A disk of their own for the events is worth a word as long as search would start without it after the next start of the host.
async function wellOrUnguarded({ look, stack }: DoctorContext) {
  const folder = stack.paths.volume(searchVolume)
  const own = mountedNow().filter(({ point }) => lies(point, folder))
  const wanted = mountsWanted().map(({ point }) => point)
  const byHand = own.filter(({ point }) => !wanted.includes(point))
  if (byHand.length === 0) return { status: 'healthy', detail: 'those of /etc/fstab are mounted' } as const
  const argv = ['systemctl', 'show', '--property=RequiresMountsFor', '--value', `${containerName('search')}.service`]
  const required = (await look.command(...argv))?.stdout.trim().split(/\s+/) ?? []
  const unguarded = byHand.find(({ point }) => !required.some((path) => lies(path, point)))
  if (unguarded === undefined) return { status: 'healthy', detail: 'search does not start without its disk' } as const
  return {
    status: 'information',
    detail: `${unguarded.point} is mounted by hand: without a line in /etc/fstab search starts without it, and empty, after the next start of the host`,
  } as const
}

function foldersOf(paths: Paths): string[] {
  const volumes = parts.map((part) => paths.volume(`logstack_data_${part}`))
  return [...volumes, paths.certsVolume, paths.optDir, '/etc/logstack', paths.logDir, host.programDir]
}

/** The parts that keep their data where a disk is missing. */
function partsOn(paths: Paths, missing: readonly MountWanted[]): PartName[] {
  const isOn = (folder: string) => missing.some(({ point }) => lies(folder, point) || lies(point, folder))
  return parts.filter((part) => isOn(paths.volume(`logstack_data_${part}`)))
}

const tags: Readonly<Record<string, string>> = {
  UUID: '/dev/disk/by-uuid',
  LABEL: '/dev/disk/by-label',
  PARTUUID: '/dev/disk/by-partuuid',
  PARTLABEL: '/dev/disk/by-partlabel',
}

// What is no file and no tag (a share of another host) is taken to be there: mounting says more.
function isThere(source: string): boolean {
  const [tag = '', value = ''] = source.split('=')
  const folder = tags[tag]
  if (folder) return existsSync(`${folder}/${value.replaceAll('"', '')}`)
  return !source.startsWith('/') || existsSync(source)
}
