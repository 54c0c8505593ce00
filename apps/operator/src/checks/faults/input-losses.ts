import { z } from 'zod'
import { bucketsAnswer } from '../../clients/answer-shape.ts'
import { defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

interface Loss {
  readonly input: string
  readonly place: string
  readonly lost: number
  /** How many of them in the last minutes: it goes on. */
  readonly lately: number
}

/** endpoint-manager counts once a minute; what went for longer than this is over. */
const goesOnWithin = 'now-10m'
const inputsMax = 20
const evidenceMax = 10

const number = z.object({ value: z.number() })
const answer = bucketsAnswer(
  'inputs',
  z.object({
    key: z.string(),
    places: z.object({
      buckets: z.array(z.object({ key: z.string(), lost: number, lately: z.object({ lost: number }) })),
    }),
  }),
)
const lost = { lost: { sum: { field: 'logstack.input.lost' } } }
const question = {
  size: 0,
  track_total_hits: false,
  query: { range: { '@timestamp': { gte: 'now-24h' } } },
  aggs: {
    inputs: {
      terms: { field: 'logstack.input.name', size: inputsMax },
      aggs: {
        places: {
          terms: { field: 'logstack.input.place', size: inputsMax },
          aggs: { ...lost, lately: { filter: { range: { '@timestamp': { gte: goesOnWithin } } }, aggs: lost } },
        },
      },
    },
  },
}

/** Places where something goes, as endpoint-manager names them, and what that is. */
const places: Readonly<Record<string, string>> = {
  kernel: 'datagrams came faster than they were read',
  process: 'datagrams came faster than they were decoded',
  queue: 'too many waited for search',
  connections: 'connections were refused, as there were too many',
  windows: 'a detection had to forget what it counted',
  silences: 'a detection had to forget what it keeps silent about',
  writer: 'search did not take them for too long',
}

/** What endpoint-manager had to drop: messages of senders that keep none of them, or what a detection remembers. */
export const inputLosses = defineFault<readonly Loss[]>({
  name: 'input-losses',
  title: 'losses on the way in',
  explainedBy: [...keepPartsFromRunning, 'restart-loop', 'parts-down', 'disk-block'],
  async diagnose(context) {
    const losses = lossesIn(
      (await askSearch(context, {
        path: '/metrics-logstack.inputs-*/_search?ignore_unavailable=true',
        body: question,
        answer,
      })) ?? [],
    )
    const goingOn = losses.filter(({ lately }) => lately > 0)
    if (losses.length === 0) return { status: 'healthy', detail: 'none in the last 24 hours' }
    if (goingOn.length === 0)
      return { status: 'information', detail: `over, in the last 24 hours: ${losses.map(wordsOf).join('; ')}` }
    return {
      status: 'fault',
      problem: `lost in the last ten minutes: ${goingOn.map((one) => wordsOf({ ...one, lost: one.lately })).join('; ')}`,
      evidence: losses.slice(0, evidenceMax).map((one) => `${wordsOf(one)} (in the last 24 hours)`),
      meaning: 'whoever sends datagrams keeps none: these events are gone; detections may miss what they forgot',
      found: goingOn,
    }
  },
  plan: (_context, losses) => [
    ...(losses.some(({ place }) => ['kernel', 'process', 'queue', 'connections'].includes(place))
      ? [
          '# who sends so much: Discover, by host.name; senders that can use TCP, or an agent beside them, lose nothing: docs/endpoints.md',
        ]
      : []),
    '# whether endpoint-manager or search is short of processor: top; what they say:',
    './logstack logs endpoint-manager',
  ],
})

/** What was lost, by input and place, the most first. */
function lossesIn(inputs: z.infer<typeof answer>): Loss[] {
  const found = inputs.flatMap(({ key: input, places: { buckets } }) =>
    buckets.map((one) => ({ input, place: one.key, lost: one.lost.value, lately: one.lately.lost.value })),
  )
  return found.filter((one) => one.lost > 0).sort((one, other) => other.lost - one.lost)
}

function wordsOf({ input, place, lost: count }: Loss): string {
  return `${input}: ${count} lost, ${places[place] ?? place}`
}
