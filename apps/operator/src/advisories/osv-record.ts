import { type Advisory, distributionFamilies, distributionOf, type VulnerabilitySeverity } from '@logstack/contracts'
import { z } from 'zod'
import { baseScore } from './cvss.ts'

const summaryMax = 500
const cve = /^CVE-\d{4}-\d{4,}$/
const announcement = /^(?:DSA|DLA|DTSA|USN|LSN)-/

const severitySchema = z.object({ type: z.string(), score: z.string() })
const eventSchema = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
})

/** What is read of a record of the OSV format, <https://ossf.github.io/osv-schema/>; the rest is passed over. */
export const osvRecordSchema = z.object({
  id: z.string().min(1),
  withdrawn: z.string().optional(),
  published: z.string().optional(),
  summary: z.string().optional(),
  details: z.string().optional(),
  aliases: z.array(z.string()).nullish(),
  upstream: z.array(z.string()).nullish(),
  related: z.array(z.string()).nullish(),
  severity: z.array(severitySchema).nullish(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        severity: z.array(severitySchema).nullish(),
        ranges: z.array(z.object({ type: z.string(), events: z.array(eventSchema) })).nullish(),
        ecosystem_specific: z.object({ urgency: z.string().optional() }).nullish(),
      }),
    )
    .nullish(),
})

export type OsvRecord = z.infer<typeof osvRecordSchema>
type Affected = NonNullable<OsvRecord['affected']>[number]
type Range = Advisory['ranges'][number]

/**
 * The advisories of a record about releases that `isWanted`, one a package. Records that name no CVE are left out, as those of AlmaLinux about mere
 * bugs (`ALBA-…`), and so are announcements of Debian and Ubuntu (`DSA-…`, `USN-…`): their trackers' own records (`DEBIAN-CVE-…`, `UBUNTU-CVE-…`) say of
 * each CVE what they say, and what is not fixed yet, too.
 */
export function advisoriesOf(
  record: OsvRecord,
  isWanted: (distribution: string) => boolean,
): Omit<Advisory, 'import'>[] {
  const vulnerabilities = vulnerabilitiesOf(record)
  if (record.withdrawn !== undefined || vulnerabilities.length === 0 || announcement.test(record.id)) return []
  const found = new Map<string, Omit<Advisory, 'import'>>()
  for (const affected of record.affected ?? []) {
    const distribution = distributionNamed(affected.package?.ecosystem ?? '')
    if (!affected.package || distribution === undefined || !isWanted(distribution)) continue
    const ranges = (affected.ranges ?? []).flatMap(({ type, events }) => (type === 'ECOSYSTEM' ? rangesOf(events) : []))
    if (ranges.length === 0) continue
    const key = `${distribution} ${affected.package.name}`
    // A package is named again for each stream of a module it is built for.
    const known = found.get(key)
    if (known) known.ranges.push(...ranges)
    else {
      found.set(key, {
        distribution,
        package: affected.package.name,
        record: record.id,
        vulnerabilities,
        ranges,
        ...gravityOf(record, affected),
        summary: summaryOf(record),
        reference: `https://osv.dev/vulnerability/${record.id}`,
        ...(record.published === undefined ? {} : { published: record.published }),
      })
    }
  }
  return [...found.values()]
}

/** `debian:12` for `Debian:12`, `ubuntu:24.04` for `Ubuntu:24.04:LTS`; undefined for others, such as those of paid support. */
function distributionNamed(ecosystem: string): string | undefined {
  const family = distributionFamilies.find((each) => ecosystem.startsWith(`${each.ecosystem}:`))
  const release = family && /^(\d+(?:\.\d+)?)(?::LTS)?$/.exec(ecosystem.slice(family.ecosystem.length + 1))?.[1]
  return family && release && distributionOf(family.platform, release)
}

/** Events lie in the order of versions; each `introduced` opens a range that the next other one closes. */
function rangesOf(events: readonly z.infer<typeof eventSchema>[]): Range[] {
  const ranges: Range[] = []
  let introduced: string | undefined
  for (const event of events) {
    if (event.introduced !== undefined) introduced = event.introduced
    if (introduced === undefined) continue
    if (event.fixed !== undefined) ranges.push({ introduced, fixed: event.fixed })
    else if (event.last_affected !== undefined) ranges.push({ introduced, last_affected: event.last_affected })
    else continue
    introduced = undefined
  }
  return introduced === undefined ? ranges : [...ranges, { introduced }]
}

function vulnerabilitiesOf({ id, aliases, upstream, related }: OsvRecord): string[] {
  const own = /CVE-\d{4}-\d{4,}$/.exec(id)?.[0]
  if (own !== undefined) return [own]
  const named = [...(aliases ?? []), ...(upstream ?? []), ...(related ?? [])].filter((name) => cve.test(name))
  return [...new Set(named)]
}

function summaryOf({ summary, details }: OsvRecord): string {
  const text = (summary ?? details ?? '').trim()
  return text.length > summaryMax ? `${text.slice(0, summaryMax - 1)}…` : text
}

const words: Readonly<Record<string, VulnerabilitySeverity>> = {
  critical: 'Critical',
  high: 'High',
  important: 'High',
  medium: 'Medium',
  moderate: 'Medium',
  low: 'Low',
  negligible: 'Low',
  unimportant: 'Low',
}

/** The distribution's own word goes before a score, which knows nothing of how it builds and uses a package. */
function gravityOf(record: OsvRecord, affected: Affected): Pick<Advisory, 'severity' | 'score' | 'score_version'> {
  const given = [...(affected.severity ?? []), ...(record.severity ?? [])]
  const scores = given.flatMap(({ score }) => baseScore(score) ?? [])
  const [best] = scores.sort((left, right) => right.version.localeCompare(left.version))
  const word =
    given.find(({ type }) => type === 'Ubuntu')?.score ??
    affected.ecosystem_specific?.urgency ??
    /^(\w+):/.exec(record.summary ?? '')?.[1]
  const severity = words[word?.toLowerCase() ?? ''] ?? (best === undefined ? 'Unknown' : severityOf(best.score))
  return { severity, ...(best === undefined ? {} : { score: best.score, score_version: best.version }) }
}

/** The word of a score by CVSS's own scale. */
function severityOf(score: number): VulnerabilitySeverity {
  if (score >= 9) return 'Critical'
  if (score >= 7) return 'High'
  return score >= 4 ? 'Medium' : 'Low'
}
