import { z } from 'zod'
import { jsonOrNothing } from '../places/read-json-file.ts'

/** A mounted file system: where, from what, of which type. */
export interface Mount {
  readonly target: string
  readonly source: string
  readonly type: string
}

/** A logical volume that holds a mounted file system, and what its group has left. */
export interface GrowableVolume {
  /** `/dev/mapper/ubuntu--vg-ubuntu--lv`: as it is mounted. */
  readonly device: string
  readonly group: string
  readonly groupBytesFree: number
  readonly mount: Mount
}

const mountsSchema = z.object({
  filesystems: z.array(z.object({ target: z.string(), source: z.string(), fstype: z.string() })).min(1),
})
const volumesSchema = z.object({
  report: z.array(
    z.object({ lv: z.array(z.object({ vg_name: z.string(), lv_path: z.string(), lv_dm_path: z.string() })) }),
  ),
})
const groupsSchema = z.object({
  report: z.array(z.object({ vg: z.array(z.object({ vg_name: z.string(), vg_free: z.string() })) })),
})

/** The commands whose output `growableVolume` reads. */
export const volumeQuestions = {
  mount: (path: string): string[] => ['findmnt', '--json', '--output', 'TARGET,SOURCE,FSTYPE', '--target', path],
  volumes: ['lvs', '--reportformat', 'json', '--options', 'vg_name,lv_path,lv_dm_path'],
  groups: ['vgs', '--reportformat', 'json', '--units', 'b', '--nosuffix', '--options', 'vg_name,vg_free'],
} as const

/** The mount in `findmnt --json`; undefined for anything else. */
export function readMount(output: string): Mount | undefined {
  const found = mountsSchema.safeParse(jsonOrNothing(output))
  const [first] = found.success ? found.data.filesystems : []
  return first && { target: first.target, source: first.source, type: first.fstype }
}

/** The logical volume below a mount, from `lvs` and `vgs`; undefined when the mount is on none. */
export function growableVolume(mount: Mount, lvs: string, vgs: string): GrowableVolume | undefined {
  const volumes = volumesSchema.safeParse(jsonOrNothing(lvs))
  const groups = groupsSchema.safeParse(jsonOrNothing(vgs))
  if (!volumes.success || !groups.success) return undefined
  const volume = volumes.data.report
    .flatMap(({ lv }) => lv)
    .find(({ lv_path, lv_dm_path }) => [lv_path, lv_dm_path].includes(mount.source))
  const group = groups.data.report.flatMap(({ vg }) => vg).find(({ vg_name }) => vg_name === volume?.vg_name)
  if (!volume || !group) return undefined
  return { device: mount.source, group: group.vg_name, groupBytesFree: Number(group.vg_free), mount }
}

/** The commands that give a file system all that its group has left; undefined for a type that cannot grow while it is mounted. */
export function growthCommands({ device, mount }: GrowableVolume): string[][] | undefined {
  const extend = ['lvextend', '-l', '+100%FREE', device]
  if (/^ext[234]$/.test(mount.type)) return [extend, ['resize2fs', device]]
  if (mount.type === 'xfs') return [extend, ['xfs_growfs', mount.target]]
  return undefined
}
