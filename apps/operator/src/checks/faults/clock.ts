import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import { bucketsAnswer } from '../../clients/answer-shape.ts'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { clockWords } from '../../evidence/clock-words.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { counted } from '../../telling/counted.ts'

const minuteMs = 60_000
/**
 * A clock that stands before the programs were built is wrong by at least so much. Events that came within the last hour tell of the clocks of their
 * hosts: what is ahead comes from a wrong clock or zone; what is always late may as well have waited on its way.
 */
const limits = { behindMs: 60 * minuteMs, offMs: 10 * minuteMs, hostsAskedMax: 1000, hostsToldMax: 5 } as const
const unnamed = 'a host without a name'

const number = z.object({ value: z.number().nullable() })
const sourcesAnswer = bucketsAnswer(
  'hosts',
  z.object({ key: z.string(), quickest: number, ahead: number, behind: number }),
)
const eventsAnswer = bucketsAnswer('hosts', z.object({ key: z.string(), newest: number }))
const aheadAnswer = z.object({
  hits: z.object({ total: z.object({ value: z.number() }) }),
  aggregations: z.object({ newest: number }).optional(),
})
const leapAnswer = z.object({
  clock_leap: z.object({ offset_in_millis: z.number(), until: z.string() }).optional(),
})

/** A host whose clock is off: by so many milliseconds, above 0 ahead; `late` where its events may only have waited. */
interface HostClock {
  readonly host: string
  readonly offsetMs: number
  readonly late: boolean
}

/** The clock of this host is wrong, or those of hosts that send events. */
export const clock = defineFault<undefined>({
  name: 'clock',
  title: 'clocks',
  async diagnose(context) {
    const { look, stack } = context
    const built = statSync(join(stack.paths.programDir, 'dist/operator.mjs')).mtimeMs
    if (Date.now() < built - limits.behindMs) {
      return {
        status: 'fault',
        problem: `the clock says ${new Date().toISOString()}, before the programs were built`,
        evidence: [`built ${new Date(built).toISOString()}`],
        meaning: 'certificates seem not to be valid yet, and events get a wrong time',
        found: undefined,
      }
    }
    const [told, synchronised] = await Promise.all([
      toldBySearch(context),
      look.command('timedatectl', 'show', '--property=NTPSynchronized', '--value'),
    ])
    const notes = [
      ...(told?.leap ?? []),
      ...wordsOfClocks(told?.clocks ?? []),
      ...(synchronised?.stdout.trim() === 'no' ? ['this host keeps its time by itself: timedatectl set-ntp true'] : []),
    ]
    if (notes.length > 0) return { status: 'information', detail: notes.join('; ') }
    return {
      status: 'healthy',
      detail: told ? 'no host is off by more than ten minutes' : 'later than the programs were built',
    }
  },
  plan: () => ['timedatectl set-ntp true'],
})

// While search cannot be asked, what is known of this host's own clock is told.
async function toldBySearch(
  context: DoctorContext,
): Promise<{ readonly leap: readonly string[]; readonly clocks: readonly HostClock[] } | undefined> {
  try {
    const [leap, sources, events, ahead] = await Promise.all([
      askSearch(context, { path: '/_logstack/retention', answer: leapAnswer }),
      askSearch(context, { path: pathOf('metrics-logstack.sources-*'), body: sourcesQuery, answer: sourcesAnswer }),
      askSearch(context, { path: pathOf(eventIndices), body: futureQuery, answer: eventsAnswer }),
      askSearch(context, { path: pathOf(eventIndices), body: storedAheadQuery, answer: aheadAnswer }),
    ])
    const doubted = leap?.clock_leap
    return {
      leap: doubted
        ? [
            `the clock of this host leapt, ${clockWords(doubted.offset_in_millis)}: until ${doubted.until} no event is deleted by its age`,
          ]
        : wordsOfAhead(ahead?.hits.total.value ?? 0, ahead?.aggregations?.newest.value ?? null),
      clocks: clocksIn(sources ?? [], events ?? [], Date.now()),
    }
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}

function pathOf(indices: string): string {
  return `/${indices}/_search?ignore_unavailable=true&allow_no_indices=true`
}

const hosts = { field: 'host.name', size: limits.hostsAskedMax }
const sourcesQuery = {
  size: 0,
  query: { range: { '@timestamp': { gte: 'now-1h' } } },
  aggs: {
    hosts: {
      terms: hosts,
      aggs: {
        quickest: { min: { field: 'logstack.source.lag_ms_min' } },
        ahead: { max: { field: 'logstack.source.clock_offset_ms' } },
        behind: { min: { field: 'logstack.source.clock_offset_ms' } },
      },
    },
  },
}
const eventIndices = 'logs-*,winlogbeat-*,endpoint-*'
const isAhead = { range: { '@timestamp': { gt: 'now+10m' } } }
/** It came while this host's own clock was ahead, which says nothing of the clock of the host it is from. */
const cameAhead = { range: { 'event.ingested': { gt: 'now+10m' } } }
/** What came long ago from a clock that was set since is not told for ever, where it is known when it came. */
const futureQuery = {
  size: 0,
  query: {
    bool: { filter: [isAhead], must_not: [{ range: { 'event.ingested': { lt: 'now-1h' } } }, cameAhead] },
  },
  aggs: { hosts: { terms: { ...hosts, missing: unnamed }, aggs: { newest: { max: { field: '@timestamp' } } } } },
}

/** Events of a time when the clock of this host was ahead: until then they are the newest, and none is deleted by its age. */
const storedAheadQuery = {
  size: 0,
  track_total_hits: true,
  query: { bool: { filter: [isAhead, cameAhead] } },
  aggs: { newest: { max: { field: '@timestamp' } } },
}

/** What is said of such events; `newest` in milliseconds since 1970. */
function wordsOfAhead(count: number, newest: number | null): string[] {
  if (count === 0 || newest === null) return []
  const until = new Date(newest).toISOString()
  return [
    `${counted(count, 'event')} came while the clock of this host was ahead, with times up to ${until}: docs/operator/retention.md says how to delete them`,
  ]
}

/** Which hosts are off, the furthest first: by what their agents say, else by their quickest events, else by events of the future. */
export function clocksIn(
  sources: z.infer<typeof sourcesAnswer>,
  events: z.infer<typeof eventsAnswer>,
  nowMs: number,
): HostClock[] {
  const found = new Map<string, HostClock>()
  for (const { key: host, newest } of events)
    if (newest.value !== null) found.set(host, { host, offsetMs: newest.value - nowMs, late: false })
  for (const { key: host, quickest, ahead, behind } of sources) {
    // Of several in an hour the one that is nearer was said after the clock was set.
    const said = nearer(ahead.value, behind.value)
    if (said !== null) {
      if (Math.abs(said) > limits.offMs) found.set(host, { host, offsetMs: said, late: false })
    } else if (quickest.value !== null && Math.abs(quickest.value) > limits.offMs)
      found.set(host, { host, offsetMs: -quickest.value, late: quickest.value > 0 })
  }
  return [...found.values()].sort((a, b) => Math.abs(b.offsetMs) - Math.abs(a.offsetMs))
}

function nearer(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.abs(one) < Math.abs(other) ? one : other
}

/** The hosts in words. */
export function wordsOfClocks(clocks: readonly HostClock[]): string[] {
  const named = (late: boolean): string | undefined => {
    const of = clocks.filter((each) => each.late === late)
    if (of.length === 0) return undefined
    const told = of.slice(0, limits.hostsToldMax).map(({ host, offsetMs }) => `${host} ${clockWords(offsetMs)}`)
    const more = of.length > told.length ? ` and ${of.length - told.length} more` : ''
    return `${told.join(', ')}${more}`
  }
  const [off, late] = [named(false), named(true)]
  return [
    ...(off === undefined ? [] : [`clocks of other hosts are off, or their zones: ${off}; set them there`]),
    ...(late === undefined ? [] : [`all events come late, or the clock is behind: ${late}`]),
  ]
}
