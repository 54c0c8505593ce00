import { z } from 'zod'
import { flag, whole } from '../dsl/shapes/scalars.ts'
import { resolveRuntimeFields } from '../indices/runtime-fields.ts'
import type { ResolvedField } from '../model/mapping.ts'
import { illegalArgument, parsingError } from '../refusals/refuse.ts'
import { readTime } from '../values/unit-values.ts'

const schema = z.strictObject({
  query: z.string().optional(),
  event_category_field: z.string().min(1).optional(),
  timestamp_field: z.string().min(1).optional(),
  tiebreaker_field: z.string().min(1).optional(),
  filter: z.unknown().optional(),
  size: whole.optional(),
  fetch_size: whole.optional(),
  result_position: z.enum(['head', 'tail']).optional(),
  fields: z.array(z.unknown()).optional(),
  runtime_mappings: z.unknown().optional(),
  case_sensitive: flag.optional(),
  max_samples_per_key: whole.optional(),
  allow_partial_search_results: flag.optional(),
  allow_partial_sequence_results: flag.optional(),
  wait_for_completion_timeout: z.string().optional(),
  keep_on_completion: flag.optional(),
  keep_alive: z.string().optional(),
})

const sizeDefault = 10
/** More than Elasticsearch's 1000: pages hold no sources, and each is a statement over all that comes after it. */
const fetchSizeDefault = 10_000
const fetchSizeMin = 2
/** As `index.max_result_window` has it unless it is set. */
const fetchSizeMax = 10_000
const samplesPerKeyMax = 1000

/** The body of `_eql/search`, read strictly, with its defaults. */
export interface EqlRequest {
  readonly query: string
  readonly categoryField: string
  readonly timestampField: string
  readonly tiebreakerField: string | undefined
  readonly filter: unknown
  readonly size: number
  readonly fetchSize: number
  readonly position: 'head' | 'tail'
  readonly fields: readonly unknown[] | undefined
  readonly runtimeMappings: unknown
  readonly runtime: ReadonlyMap<string, ResolvedField>
  readonly samplesPerKey: number
  readonly allowsPartial: boolean | undefined
  readonly allowsPartialSequences: boolean
  readonly waitMs: number | undefined
  readonly keeps: boolean | undefined
  readonly keepAliveMs: number | undefined
}

/** Reads the body of `_eql/search`. Throws `parsing_exception` for an unknown key, `illegal_argument_exception` for a value that is not allowed. */
export function readEqlRequest(body: unknown): EqlRequest {
  const given = readBody(body)
  const { query, size = sizeDefault, fetch_size: fetchSize = fetchSizeDefault, max_samples_per_key: perKey = 1 } = given
  if (query === undefined || query === '') throw illegalArgument('query is null or empty')
  if (size < 0) throw illegalArgument('size must be greater than or equal to 0')
  if (fetchSize < fetchSizeMin) throw illegalArgument('fetch size must be greater than 1')
  if (fetchSize > fetchSizeMax) throw illegalArgument(`fetch size must be less than or equal to [${fetchSizeMax}]`)
  if (perKey < 1) throw illegalArgument('max_samples_per_key must be greater than 0')
  if (perKey > samplesPerKeyMax)
    throw illegalArgument(`max_samples_per_key must be less than or equal to [${samplesPerKeyMax}]`)
  if (given.case_sensitive === false)
    throw illegalArgument('[case_sensitive] cannot be [false]; use [:], [in~], [like~] or [regex~]')
  return {
    query,
    categoryField: given.event_category_field ?? 'event.category',
    timestampField: given.timestamp_field ?? '@timestamp',
    tiebreakerField: given.tiebreaker_field,
    filter: given.filter,
    size,
    fetchSize,
    position: given.result_position ?? 'tail',
    fields: given.fields,
    runtimeMappings: given.runtime_mappings,
    runtime: new Map(resolveRuntimeFields(given.runtime_mappings ?? {})),
    samplesPerKey: perKey,
    allowsPartial: given.allow_partial_search_results,
    allowsPartialSequences: given.allow_partial_sequence_results ?? false,
    waitMs: timeOf('wait_for_completion_timeout', given.wait_for_completion_timeout),
    keeps: given.keep_on_completion,
    keepAliveMs: timeOf('keep_alive', given.keep_alive),
  }
}

function timeOf(name: string, given: string | undefined): number | undefined {
  return given === undefined ? undefined : readTime(name, given)
}

function readBody(body: unknown): z.infer<typeof schema> {
  if (body === undefined) throw illegalArgument('query is null or empty')
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError('Expected [START_OBJECT] but found something else')
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue?.code === 'unrecognized_keys') throw parsingError(`[eql/search] unknown field [${issue.keys[0] ?? ''}]`)
  throw parsingError(
    `[eql/search] failed to parse field [${issue?.path.join('.') ?? ''}]: ${issue?.message ?? 'malformed'}`,
  )
}
