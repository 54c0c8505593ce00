import { isIP } from 'node:net'
import { AppError, operatorErrors } from '@logstack/errors'
import { z } from 'zod'
import { bucketsAnswer } from '../../clients/answer-shape.ts'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'

/** A word that stands where an address belongs, in one field of one index. */
interface Misplaced {
  readonly index: string
  readonly field: string
  readonly value: string
  readonly events: number
}

const names = z.array(z.string())
const capabilities = z.object({
  indices: names,
  fields: z.record(z.string(), z.record(z.string(), z.object({ indices: names.optional() }))),
})
const values = bucketsAnswer('values', z.object({ key: z.string(), doc_count: z.number() }))

const valuesMax = 1_000
const evidenceMax = 10
/** What Windows writes for the host itself; the address that means the same. */
const ownHost = { pattern: /^(local|localhost|-?loopback-?)$/i, address: '127.0.0.1' } as const

/** Words such as `LOCAL` in fields that hold addresses: a re-index into an index that maps them as `ip` ends with an illegal argument. */
export const addressFields = defineFault<readonly Misplaced[]>({
  name: 'address-fields',
  title: 'address fields',
  limitMs: 9_000,
  async diagnose(context) {
    const fields = await wordFields(context)
    const misplaced = (await Promise.all(fields.map((field) => misplacedIn(context, field)))).flat()
    if (misplaced.length === 0) return { status: 'healthy', detail: 'hold addresses only' }
    const count = new Set(misplaced.map(({ index }) => index)).size
    return {
      status: 'fault',
      problem: `${count === 1 ? 'an index has' : `${count} indices have`} words where addresses belong`,
      evidence: misplaced
        .slice(0, evidenceMax)
        .map(({ index, field, value, events }) => `${index}: ${field} is '${value}' in ${events} events`),
      meaning: `a re-index of it fails: '${misplaced[0]?.value}' is not an IP string literal.`,
      found: misplaced,
    }
  },
  plan: (_context, misplaced) =>
    misplaced.map(
      (one) =>
        `POST /${one.index}/_update_by_query ${JSON.stringify(updateOf(one, addressFor(one.value) ?? '<ADDRESS>'))}`,
    ),
  async repair({ ask, stack }, misplaced, progress) {
    const left: string[] = []
    for (const one of misplaced) {
      const { index, field, value, events } = one
      const given = await ask?.(
        `Address for '${value}' in ${field} of ${events} events of ${index} (empty: ${addressFor(value) ?? 'leave it'}): `,
        { secret: false },
      )
      const address = given?.trim() || addressFor(value)
      if (address === undefined || isIP(address) === 0) {
        left.push(`${index}: ${field} '${value}'`)
        continue
      }
      progress.waiting(index)
      const query = { conflicts: 'proceed', refresh: true }
      const path = `/${encodeURIComponent(index)}/_update_by_query`
      await stack.clients
        .search()
        .request({ method: 'POST', path, query, body: updateOf(one, address), timeoutMs: 600_000 })
    }
    if (left.length === 0) return
    throw new AppError(operatorErrors.option_invalid, `only you know the address that is meant: ${left.join(', ')}`, {
      fix: './logstack doctor --repair --only address-fields, without --yes',
    })
  },
})

function addressFor(value: string): string | undefined {
  return ownHost.pattern.test(value) ? ownHost.address : undefined
}

function updateOf({ field, value }: Misplaced, address: string): Record<string, unknown> {
  return {
    script: { source: `ctx._source.${field} = '${address}'`, lang: 'painless' },
    query: { match: { [field]: value } },
  }
}

interface WordField {
  readonly field: string
  readonly indices: readonly string[]
}

// Address fields by ECS's names that an index maps as words.
async function wordFields(context: DoctorContext): Promise<WordField[]> {
  const path = '/*/_field_caps?fields=*.ip&ignore_unavailable=true&allow_no_indices=true'
  const answer = await askSearch(context, { path, body: {}, answer: capabilities })
  return Object.entries(answer?.fields ?? {}).flatMap(([field, types]) =>
    Object.entries(types)
      .filter(([type]) => type === 'keyword' || type === 'wildcard')
      .map(([, { indices }]) => ({ field, indices: indices ?? answer?.indices ?? [] })),
  )
}

async function misplacedIn(context: DoctorContext, { field, indices }: WordField): Promise<Misplaced[]> {
  const found = await Promise.all(
    indices.map(async (index) => {
      const body = { size: 0, aggs: { values: { terms: { field, size: valuesMax } } } }
      const path = `/${encodeURIComponent(index)}/_search`
      const buckets = (await askSearch(context, { path, body, answer: values })) ?? []
      return buckets
        .filter(({ key }) => isIP(key) === 0)
        .map(({ key, doc_count }) => ({ index, field, value: key, events: doc_count }))
    }),
  )
  return found.flat()
}
