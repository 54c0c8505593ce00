import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'

const wanted = ['host.name', 'host.os.name', 'host.os.version', 'message'] as const
const fieldsSchema = z.record(z.string(), z.array(z.unknown()))
const answer = z.object({ hits: z.object({ hits: z.array(z.object({ fields: fieldsSchema })) }) })
type Fields = z.infer<typeof fieldsSchema>

/** A host that reports the error. */
interface Reporting {
  readonly name: string
  /** How often, among the newest events. */
  readonly count: number
  readonly newest: Fields
}

const guide = 'https://support.microsoft.com/help/4494462'
const eventsMax = 500

// The number is 0x80338012 as Windows logs it: the server cannot be reached on its HTTP URL.
const signs = [
  { match_phrase: { message: '2150859027' } },
  { term: { 'event.code': '2150859027' } },
  { match_phrase: { message: 'HTTP URLs are not available' } },
  { match_phrase: { message: 'HTTP URLs are unavailable' } },
]
const fromWindows = [{ exists: { field: 'winlog.channel' } }, { term: { 'host.os.type': 'windows' } }]

/** Windows hosts (Server 2016 or newer) whose event forwarding cannot open its HTTP URL: their logs say 2150859027. */
export const windowsForwarding = defineFault<{ readonly hosts: readonly string[] }>({
  name: 'windows-forwarding',
  title: 'Windows event forwarding',
  async diagnose(context) {
    const found = await askSearch(context, {
      answer,
      path: '/logs-*,winlogbeat-*/_search?ignore_unavailable=true&allow_no_indices=true',
      body: {
        // Counted here: an index may map the host's name as text, and could not count by it.
        size: eventsMax,
        sort: [{ '@timestamp': { order: 'desc', unmapped_type: 'date' } }],
        _source: false,
        fields: wanted,
        query: {
          bool: {
            filter: [
              { range: { '@timestamp': { gte: 'now-24h' } } },
              { bool: { should: signs, minimum_should_match: 1 } },
              { bool: { should: fromWindows, minimum_should_match: 1 } },
            ],
          },
        },
      },
    })
    const hosts = hostsOf((found?.hits.hits ?? []).map(({ fields }) => fields))
    if (hosts.length === 0) return { status: 'healthy', detail: 'no host reported 2150859027 in 24 hours' }
    return {
      status: 'fault',
      problem: `${hosts.length === 1 ? 'a Windows host reports' : `${hosts.length} Windows hosts report`} error 2150859027: ${hosts.map(({ name }) => name).join(', ')}`,
      evidence: hosts.map((one) => `${one.name}${versionOf(one)}: ${one.count} events, the last: ${messageOf(one)}`),
      meaning: 'these hosts cannot forward or collect events over their HTTP URL, so their logs are incomplete',
      found: { hosts: hosts.map(({ name }) => name) },
    }
  },
  plan: (_context, { hosts }) => [`# on ${hosts.join(', ')}: follow ${guide}`],
})

/** The hosts of events, newest first. */
function hostsOf(events: readonly Fields[]): Reporting[] {
  const found = new Map<string, Reporting>()
  for (const event of events) {
    const name = firstOf(event, 'host.name') ?? 'a host without a name'
    const known = found.get(name)
    found.set(name, { name, count: (known?.count ?? 0) + 1, newest: known?.newest ?? event })
  }
  return [...found.values()]
}

function firstOf(event: Fields, field: (typeof wanted)[number]): string | undefined {
  const [value] = event[field] ?? []
  return value === undefined ? undefined : String(value)
}

function versionOf({ newest }: Reporting): string {
  const words = [firstOf(newest, 'host.os.name'), firstOf(newest, 'host.os.version')].filter(
    (word) => word !== undefined,
  )
  return words.length === 0 ? '' : ` (${words.join(' ')})`
}

function messageOf({ newest }: Reporting): string {
  return firstOf(newest, 'message')?.split('\n')[0]?.slice(0, 200) ?? 'without a message'
}
