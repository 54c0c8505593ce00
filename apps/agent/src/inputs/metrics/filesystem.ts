import { statfs } from 'node:fs/promises'
import { kernelLines, type MetricSet, share } from './metric-set.ts'

// File systems that hold no data of their own.
const pseudo =
  /^(autofs|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|efivarfs|fuse\.\w+|fusectl|hugetlbfs|mqueue|nsfs|overlay|proc|pstore|ramfs|securityfs|squashfs|sysfs|tmpfs|tracefs)$/
const mountsMax = 64

/** One mounted file system. */
export interface Mount {
  readonly device: string
  readonly point: string
  readonly type: string
}

/** Mounts that hold data, one a device, of the lines of /proc/self/mounts; the root is always among them. */
export function readMounts(lines: readonly string[]): Mount[] {
  const byDevice = new Map<string, Mount>()
  for (const line of lines) {
    const [device = '', point = '', type = ''] = line.split(' ').map(unescapeOctal)
    if (point !== '/' && pseudo.test(type)) continue
    const known = byDevice.get(device)
    if (!known || point.length < known.point.length) byDevice.set(device, { device, point, type })
  }
  return [...byDevice.values()].slice(0, mountsMax)
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

/** Space and inodes of each file system that holds data: `system.filesystem.*`, sizes in bytes. */
export const filesystemMetrics: MetricSet = {
  dataset: 'system.filesystem',
  start() {
    return async () => {
      const mounts = readMounts(await kernelLines('/proc/self/mounts'))
      const measured = await Promise.allSettled(mounts.map(measureMount))
      return measured.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    }
  },
}

async function measureMount({ device, point, type }: Mount): Promise<Record<string, unknown>> {
  const stats = await statfs(point)
  const total = stats.blocks * stats.bsize
  const free = stats.bfree * stats.bsize
  const available = stats.bavail * stats.bsize
  const used = { bytes: total - free, pct: share(total - free, total - free + available) }
  const filesystem = { device_name: device, mount_point: point, type, total, free, available, used }
  return { system: { filesystem: { ...filesystem, files: stats.files, free_files: stats.ffree } } }
}
