import { agentIndices } from '@logstack/contracts'
import { z } from 'zod'
import { hitsAnswer } from '../clients/answer-shape.ts'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { askSearch } from './search-answers.ts'

/** An agent as agent-server last wrote it down. */
export interface EnrolledAgent {
  readonly id: string
  readonly host: string
  readonly status: string
  /** Epoch milliseconds of its last check-in, or of its enrolment before the first. */
  readonly silentSince: number
  readonly message: string
  readonly version: string | undefined
  /** Inputs and outputs that failed. */
  readonly failed: readonly ToldUnit[]
  /** What its output says while events wait on the agent's disk. */
  readonly waiting: ToldUnit | undefined
}

/** What an agent tells of one that is not well: its words, and why, where the agent knows. */
export interface ToldUnit {
  readonly words: string
  readonly reason: string | undefined
}

// What one agent reports badly must not hide the others.
const word = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
const payloadSchema = z
  .object({ reason: z.string().optional().catch(undefined) })
  .nullish()
  .catch(undefined)
const unitSchema = z.object({ id: word, type: word, status: word, message: word, payload: payloadSchema })
const one = <T>(value: z.ZodType<T>) =>
  z
    .array(value)
    .nullish()
    .transform((values) => values?.[0])
const listedSchema = z.object({
  status: one(z.string()),
  host_name: one(z.string()),
  agent_version: one(z.string()),
  enrolled_at: one(z.string()),
  last_checkin: one(z.string()),
  last_checkin_message: one(z.string()),
})
const listAnswer = z.object({
  hits: z.object({ hits: z.array(z.object({ _id: z.string(), fields: listedSchema.optional() })) }),
})
const unitsAnswer = hitsAnswer(
  z.object({ components: z.array(z.object({ units: z.array(unitSchema).nullish() })).nullish() }),
)
type Unit = z.infer<typeof unitSchema>

/** As many as agent-server takes, and search shows of one list. */
const agentsMax = 10_000
/** Of one answer: what an agent says of its inputs is some kilobytes. */
const unitsPageSize = 1_000
const path = `/${agentIndices.agents.name}/_search`
const isActive = { term: { active: true } }

/** All agents that are enrolled. What their inputs and outputs say is read of those only that are not well as a whole. */
export async function enrolledAgents(context: DoctorContext): Promise<EnrolledAgent[]> {
  const body = {
    size: agentsMax,
    query: isActive,
    // Columns: a document holds all that an agent says.
    _source: false,
    docvalue_fields: Object.keys(listedSchema.shape),
  }
  const found = (await askSearch(context, { path, body, answer: listAnswer }))?.hits.hits ?? []
  const unitsOf = found.some(({ fields }) => troubled.includes(fields?.status ?? ''))
    ? await readUnits(context)
    : new Map<string, readonly Unit[]>()
  return found.map(({ _id: id, fields }) => {
    const units = unitsOf.get(id) ?? []
    const waiting = units.find(({ type, status }) => type === 'output' && status === 'DEGRADED')
    return {
      id,
      host: fields?.host_name ?? 'unknown host',
      status: fields?.status ?? 'unknown',
      silentSince: Date.parse(fields?.last_checkin ?? fields?.enrolled_at ?? ''),
      message: fields?.last_checkin_message ?? '',
      version: fields?.agent_version,
      failed: units
        .filter(({ status }) => status === 'FAILED')
        .map(({ id: unit, message, payload }) => ({ words: `${unit}: ${message}`, reason: payload?.reason })),
      waiting: waiting && { words: waiting.message, reason: waiting.payload?.reason },
    }
  })
}

/** The states of agents with an input that failed, or an output that cannot send. */
const troubled = ['unhealthy', 'updating']

async function readUnits(context: DoctorContext): Promise<ReadonlyMap<string, readonly Unit[]>> {
  const units = new Map<string, readonly Unit[]>()
  for (let from = 0; from < agentsMax; from += unitsPageSize) {
    const body = {
      from,
      size: unitsPageSize,
      query: { bool: { filter: [isActive, { terms: { status: troubled } }] } },
      _source: ['components'],
      // Each agent's own, and it stays: none is on two pages, or on none.
      sort: [{ access_key_id: 'asc' }],
    }
    const hits = (await askSearch(context, { path, body, answer: unitsAnswer }))?.hits.hits ?? []
    for (const { _id, _source } of hits)
      units.set(
        _id,
        (_source.components ?? []).flatMap(({ units: own }) => own ?? []),
      )
    if (hits.length < unitsPageSize) break
  }
  return units
}
