import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Fields, InventorySet } from './inventory-set.ts'
import { runCommand } from './run-tool.ts'

const dpkgStatus = '/var/lib/dpkg/status'
const rpmFormat = '%{NAME}\\t%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}\\t%{ARCH}\\t%{SIZE}\\t%{SUMMARY}\\n'

/** Reads dpkg's status file: the packages that are installed. */
export function readDpkg(text: string): Map<string, Fields> {
  const found = new Map<string, Fields>()
  for (const block of text.split('\n\n')) {
    const of = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const name = of('Package')
    if (name === undefined || !of('Status')?.endsWith(' installed')) continue
    const architecture = of('Architecture') ?? ''
    const kibibytes = Number(of('Installed-Size'))
    const source = sourceOf(of('Source'))
    found.set(`${name}:${architecture}`, {
      package: {
        name,
        version: of('Version'),
        architecture,
        type: 'dpkg',
        ...(Number.isFinite(kibibytes) ? { size: kibibytes * 1024 } : {}),
      },
      ...(source ? { inventory: { package: { source } } } : {}),
    })
  }
  return found
}

/** `name (version)`, of which the version is there where it is not the package's own; advisories name sources. Absent where the source is named like the package. */
function sourceOf(given: string | undefined): { name: string; version?: string } | undefined {
  const [, name, version] = /^(\S+)(?: \((.+)\))?$/.exec(given ?? '') ?? []
  if (name === undefined) return undefined
  return version === undefined ? { name } : { name, version }
}

/**
 * The packages that dpkg says are installed. Its file has megabytes, twice as many as text: it is never held whole. Throws where there is none.
 */
export async function readDpkgFile(path = dpkgStatus): Promise<Map<string, Fields>> {
  const found = new Map<string, Fields>()
  const add = (text: string): void => {
    for (const [key, fields] of readDpkg(text)) found.set(key, fields)
  }
  let rest = ''
  for await (const portion of createReadStream(path, 'utf8')) {
    const text = rest + String(portion)
    const end = text.lastIndexOf('\n\n')
    if (end >= 0) add(text.slice(0, end))
    rest = end < 0 ? text : text.slice(end + 2)
  }
  add(rest)
  return found
}

/** Reads lines of `rpm -qa` in our own format. */
export function readRpm(text: string): Map<string, Fields> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [name, version, architecture, size] = line.split('\t')
      return name && version
        ? [
            [
              `${name}:${architecture}:${version}`,
              { package: { name, version, architecture, type: 'rpm', size: Number(size) } },
            ],
          ]
        : []
    }),
  )
}

/** Installed packages of dpkg, or of rpm where there is no dpkg. */
export const packages: InventorySet = {
  name: 'packages',
  noun: 'package',
  category: 'package',
  async read() {
    try {
      return await readDpkgFile()
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
    }
    return readRpm(await runCommand('rpm', ['-qa', '--queryformat', rpmFormat]))
  },
  // dpkg puts a new file in the place of the old one.
  async version() {
    const stats = await stat(dpkgStatus).catch(() => undefined)
    return stats && [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ')
  },
}
