import type { Advisory, PackageFormat } from '@logstack/contracts'
import { type CompareVersions, compareVersions } from './package-versions.ts'
import type { InstalledPackage, ScannedHost } from './scanned-hosts.ts'

type Range = Advisory['ranges'][number]

/** That a package of a host has a vulnerability. */
export interface Finding {
  readonly host: ScannedHost
  /** `CVE-2026-1234` */
  readonly vulnerability: string
  readonly package: InstalledPackage
  readonly advisory: Advisory
  /** The version that is not vulnerable any more; undefined where there is none yet. */
  readonly fixed: string | undefined
}

/**
 * What of a host's packages is vulnerable: each vulnerability once a package, by the advisory with the highest version that fixes it, or one that knows
 * of none.
 */
export function findingsOf(host: ScannedHost, advisoriesOf: (name: string) => readonly Advisory[]): Finding[] {
  const compare = compareVersions[host.format]
  return host.packages.flatMap((installed) => {
    const found = new Map<string, Finding>()
    for (const advisory of advisoriesOf(installed.name)) {
      const range = concernedRange(installed.version, advisory.ranges, host.format)
      if (!range) continue
      for (const vulnerability of advisory.vulnerabilities) {
        const known = found.get(vulnerability)
        if (known && !isLater(range.fixed, known.fixed, compare)) continue
        found.set(vulnerability, { host, vulnerability, package: installed, advisory, fixed: range.fixed })
      }
    }
    return [...found.values()]
  })
}

/**
 * The range that a version lies in. Advisories about packages of rpm list a build for each stream of a module: whoever has one of them, or a later one,
 * has the fix.
 */
function concernedRange(version: string, ranges: Advisory['ranges'], format: PackageFormat): Range | undefined {
  const compare = compareVersions[format]
  const within = ranges.filter((each) => isWithin(version, each, compare))
  return format === 'rpm' && within.length < ranges.length ? undefined : within[0]
}

/** `0` as `introduced` stands for all versions there ever were. */
function isWithin(version: string, range: Range, compare: CompareVersions): boolean {
  if (range.introduced !== '0' && compare(version, range.introduced) < 0) return false
  if (range.fixed !== undefined) return compare(version, range.fixed) < 0
  return range.last_affected === undefined || compare(version, range.last_affected) <= 0
}

function isLater(fixed: string | undefined, known: string | undefined, compare: CompareVersions): boolean {
  if (known === undefined) return false
  return fixed === undefined || compare(fixed, known) > 0
}
