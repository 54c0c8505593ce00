import { readFile } from 'node:fs/promises'
import type { Fields, InventorySet } from './inventory-set.ts'
import { runCommand } from './run-tool.ts'

const dpkgStatus = '/var/lib/dpkg/status'
const rpmFormat = '%{NAME}\\t%{VERSION}-%{RELEASE}\\t%{ARCH}\\t%{SIZE}\\t%{SUMMARY}\\n'

/** Reads dpkg's status file: the packages that are installed. */
export function readDpkg(text: string): Map<string, Fields> {
  const found = new Map<string, Fields>()
  for (const block of text.split('\n\n')) {
    const of = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const name = of('Package')
    if (name === undefined || !of('Status')?.endsWith(' installed')) continue
    const architecture = of('Architecture') ?? ''
    const kibibytes = Number(of('Installed-Size'))
    found.set(`${name}:${architecture}`, {
      package: {
        name,
        version: of('Version'),
        architecture,
        type: 'dpkg',
        ...(Number.isFinite(kibibytes) ? { size: kibibytes * 1024 } : {}),
      },
    })
  }
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
      return readDpkg(await readFile(dpkgStatus, 'utf8'))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
    }
    return readRpm(await runCommand('rpm', ['-qa', '--queryformat', rpmFormat]))
  },
}
