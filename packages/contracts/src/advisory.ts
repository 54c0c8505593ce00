import { z } from 'zod'

/** How packages of a distribution are versioned, which decides how two versions compare. */
export type PackageFormat = 'dpkg' | 'rpm'

/** A family of distributions whose advisories can be matched with packages of hosts. */
export interface DistributionFamily {
  /** `ID` of os-release, which inventories have as `host.os.platform`. */
  readonly platform: string
  /** Its name in the OSV format, before the release: <https://ossf.github.io/osv-schema/#defined-ecosystems>. */
  readonly ecosystem: string
  /** Where only the first number of a version tells releases apart; minor releases get the same packages. */
  readonly byMajor: boolean
  readonly format: PackageFormat
}

/** Those whose advisories OSV has by the packages that their package managers name: source packages of dpkg, packages of rpm. */
export const distributionFamilies: readonly DistributionFamily[] = [
  { platform: 'debian', ecosystem: 'Debian', byMajor: true, format: 'dpkg' },
  { platform: 'ubuntu', ecosystem: 'Ubuntu', byMajor: false, format: 'dpkg' },
  { platform: 'almalinux', ecosystem: 'AlmaLinux', byMajor: true, format: 'rpm' },
  { platform: 'rocky', ecosystem: 'Rocky Linux', byMajor: true, format: 'rpm' },
]

/** A release as advisories and hosts both name it: `debian:12`, `ubuntu:24.04`; undefined for those without advisories. */
export function distributionOf(platform: string, version: string): string | undefined {
  const family = distributionFamilies.find((each) => each.platform === platform)
  const release = /^\d+(?:\.\d+)?/.exec(version)?.[0]
  if (!family || release === undefined) return undefined
  return `${platform}:${family.byMajor ? release.split('.')[0] : release}`
}

/** How packages of a release such as `debian:12` are versioned. */
export function formatOf(distribution: string): PackageFormat | undefined {
  return distributionFamilies.find(({ platform }) => distribution.startsWith(`${platform}:`))?.format
}

export const vulnerabilitySeverities = ['Critical', 'High', 'Medium', 'Low', 'Unknown'] as const
export type VulnerabilitySeverity = (typeof vulnerabilitySeverities)[number]

/** One advisory about one package of one release, in `.logstack-advisories`. The operator writes them, endpoint-manager matches them with inventories. */
export const advisorySchema = z.strictObject({
  /** `debian:12` */
  distribution: z.string(),
  /** The source package where the distribution uses dpkg, else the package. */
  package: z.string(),
  /** The record's own id: `DEBIAN-CVE-2026-1234`, `ALSA-2026:0042`. */
  record: z.string(),
  /** The CVEs it is about. */
  vulnerabilities: z.array(z.string()).min(1),
  /**
   * The versions concerned: from `introduced` on, before `fixed` or up to `last_affected`; without either, all later ones. Of packages of rpm each range
   * is another build of the same fix.
   */
  ranges: z.array(
    z.strictObject({ introduced: z.string(), fixed: z.string().optional(), last_affected: z.string().optional() }),
  ),
  severity: z.enum(vulnerabilitySeverities),
  /** Base score of CVSS, and which version of CVSS that is. */
  score: z.number().optional(),
  score_version: z.string().optional(),
  summary: z.string(),
  reference: z.string(),
  /** ISO 8601. */
  published: z.string().optional(),
  /** Of the import that wrote it; others of its distribution are gone from the source. */
  import: z.string(),
})

export type Advisory = z.infer<typeof advisorySchema>

const keyword = { type: 'keyword' } as const

export const advisoriesIndex = {
  name: '.logstack-advisories',
  version: 1,
  properties: {
    distribution: keyword,
    package: keyword,
    record: keyword,
    vulnerabilities: keyword,
    ranges: { type: 'object', enabled: false },
    severity: keyword,
    score: { type: 'float' },
    score_version: keyword,
    summary: { type: 'text' },
    reference: keyword,
    published: { type: 'date' },
    import: keyword,
  },
} as const
