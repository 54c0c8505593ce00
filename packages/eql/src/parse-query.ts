import type { EqlQuery, EventFilter, Field, Pipe, Stage } from './ast.ts'
import { parseCondition, parseField } from './parse-expression.ts'
import { TokenReader } from './token-reader.ts'

/** How often an item of a sequence may be asked for in a row. */
const runsMax = 100
/** Items of a sequence, those with `runs` counted as often. */
const stagesMax = 256
/** Filters of a sample. */
const sampleStagesMax = 5
/** Join keys after one `by`. */
const keysMax = 32
/** What a sequence may last: longer than any time there is. */
const maxSpanMsMax = Number.MAX_SAFE_INTEGER

/** Reads an EQL query. Throws `parsing_exception` with line and column of what is wrong. */
export function parseQuery(query: string): EqlQuery {
  const reader = new TokenReader(query)
  const parsed = reader.isWord('sequence')
    ? parseSequence(reader)
    : reader.isWord('sample')
      ? parseSample(reader)
      : { kind: 'event' as const, filter: parseFilter(reader) }
  if (reader.isWord('join')) throw reader.error(reader.peek().at, 'Join is not supported')
  const pipes = parsePipes(reader)
  if (parsed.kind === 'sample' && pipes.length > 0) throw reader.error(0, 'Samples do not support pipes yet')
  if (reader.peek().kind !== 'end') throw reader.mismatch('<EOF>')
  return { ...parsed, pipes }
}

function parseFilter(reader: TokenReader): EventFilter {
  const { at } = reader.peek()
  const category = parseCategory(reader)
  reader.expectWord('where')
  const condition = parseCondition(reader)
  return { category, condition, at, end: reader.lastEnd }
}

function parseCategory(reader: TokenReader): string | undefined {
  const token = reader.peek()
  if (reader.skipWord('any')) return undefined
  const isName = token.kind === 'name' && token.bare && !token.value.includes('.') && reader.isName()
  if (token.kind !== 'string' && !isName) throw reader.mismatch("{'any', STRING, IDENTIFIER}")
  return reader.take().value
}

function parsePipes(reader: TokenReader): Pipe[] {
  const pipes: Pipe[] = []
  while (reader.skipSymbol('|')) {
    const { at, value: name, kind } = reader.take()
    if (kind !== 'name') throw reader.error(at, 'a pipe needs a name')
    if (name !== 'head' && name !== 'tail') throw reader.error(at, `Unsupported pipe [${name}]; there are [head, tail]`)
    const count = reader.take()
    if (count.kind !== 'number' || !/^\d+$/.test(count.value) || !Number.isSafeInteger(Number(count.value)))
      throw reader.error(count.at, `Pipe [${name}] expects a positive integer, found [${count.text}]`)
    pipes.push({ name, count: Number(count.value), at })
  }
  return pipes
}

function parseSequence(reader: TokenReader): Omit<Extract<EqlQuery, { kind: 'sequence' }>, 'pipes'> {
  const { at } = reader.take()
  let shared: Field[] | undefined
  let maxSpanMs: number | undefined
  // The two may stand in either order, each once.
  for (;;)
    if (shared === undefined && reader.skipWord('by')) shared = parseKeys(reader)
    else if (maxSpanMs === undefined && reader.skipWord('with')) maxSpanMs = parseMaxSpan(reader)
    else break
  const stages = parseStages(reader, shared ?? [], true)
  const until = reader.skipWord('until') ? parseStage(reader, shared ?? []) : undefined
  if (until?.missing) throw reader.error(until.at, 'until cannot be a missing event')
  if (stages.length < 2) throw reader.error(at, `A sequence requires a minimum of 2 queries, found [${stages.length}]`)
  if (stages.every(({ missing }) => missing))
    throw reader.error(at, 'A sequence requires at least one positive event query; all of them are missing events')
  const absent = stages.find(({ missing }) => missing)
  if (absent && maxSpanMs === undefined)
    throw reader.error(absent.at, '[maxspan] is required for sequences with missing events queries; found none')
  checkKeys(reader, until ? [...stages, until] : stages)
  return { kind: 'sequence', maxSpanMs, stages, until }
}

function parseSample(reader: TokenReader): Omit<Extract<EqlQuery, { kind: 'sample' }>, 'pipes'> {
  const { at } = reader.take()
  const shared = reader.skipWord('by') ? parseKeys(reader) : []
  const stages = parseStages(reader, shared, false)
  if (stages.length < 2) throw reader.error(at, `A sample requires a minimum of 2 queries, found [${stages.length}]`)
  if (stages.length > sampleStagesMax)
    throw reader.error(at, `A sample takes a maximum of ${sampleStagesMax} queries, found [${stages.length}]`)
  const [absent] = stages.filter(({ missing }) => missing)
  if (absent) throw reader.error(absent.at, 'Missing events are not supported for samples')
  if (stages[0]?.by.length === 0) throw reader.error(at, 'A sample must have at least one join key, found none')
  checkKeys(reader, stages)
  return { kind: 'sample', stages }
}

function parseStages(reader: TokenReader, shared: readonly Field[], takesRuns: boolean): Stage[] {
  const stages: Stage[] = []
  while (reader.isSymbol('[') || reader.isSymbol('!')) {
    const stage = parseStage(reader, shared)
    const runs = takesRuns && reader.isWord('with') ? parseRuns(reader, stage) : 1
    for (let run = 0; run < runs; run += 1) stages.push(stage)
    if (stages.length > stagesMax)
      throw reader.error(stage.at, `A sequence takes a maximum of ${stagesMax} queries, with their runs`)
  }
  if (stages.length === 0) throw reader.mismatch("'['")
  return stages
}

function parseStage(reader: TokenReader, shared: readonly Field[]): Stage {
  const { at } = reader.peek()
  const missing = reader.skipSymbol('!')
  reader.expectSymbol('[')
  const filter = parseFilter(reader)
  reader.expectSymbol(']')
  const own = reader.skipWord('by') ? parseKeys(reader) : []
  return { filter, by: [...shared, ...own], missing, at, end: reader.lastEnd }
}

function parseKeys(reader: TokenReader): Field[] {
  const { at } = reader.peek()
  const keys: Field[] = []
  do keys.push(parseField(reader))
  while (reader.skipSymbol(','))
  if (keys.length > keysMax) throw reader.error(at, `There are at most [${keysMax}] join keys, found [${keys.length}]`)
  return keys
}

function checkKeys(reader: TokenReader, stages: readonly Stage[]): void {
  const expected = stages[0]?.by.length ?? 0
  for (const { by, at } of stages)
    if (by.length !== expected)
      throw reader.error(
        at,
        `Inconsistent number of join keys specified; expected [${expected}] but found [${by.length}]`,
      )
}

function parseRuns(reader: TokenReader, stage: Stage): number {
  reader.expectWord('with')
  const { at, value } = reader.take()
  if (value !== 'runs') throw reader.error(at, `Unrecognized option [${value}], expecting [runs]`)
  expectAssignment(reader)
  const given = reader.take()
  const runs = given.kind === 'number' && /^\d+$/.test(given.value) ? Number(given.value) : 0
  if (runs < 1) throw reader.error(given.at, `A positive runs value is required; found [${given.text}]`)
  if (runs > runsMax)
    throw reader.error(given.at, `A query cannot be repeated more than ${runsMax} times; found [${runs}]`)
  if (stage.missing && runs > 1) throw reader.error(given.at, 'Runs are not supported for missing events')
  return runs
}

function parseMaxSpan(reader: TokenReader): number {
  reader.expectWord('maxspan')
  expectAssignment(reader)
  const count = reader.take()
  if (count.kind !== 'number' || !/^\d+$/.test(count.value))
    throw reader.error(count.at, `A positive maxspan value is required; found [${count.text}]`)
  const unit = reader.peek()
  if (unit.kind !== 'name' || unit.at !== count.end)
    throw reader.error(count.at, `No time unit specified, did you mean [s] as in [${count.text}s]?`)
  reader.take()
  const unitMs = Object.hasOwn(spanUnitsMs, unit.value) ? spanUnitsMs[unit.value] : undefined
  if (unitMs === undefined)
    throw reader.error(
      unit.at,
      `Unrecognized time unit [${unit.value}] in time value [${count.text}${unit.text}], expected one of [${Object.keys(spanUnitsMs).join(', ')}]`,
    )
  const spanMs = Number(count.value) * unitMs
  if (spanMs <= 0) throw reader.error(count.at, `A positive maxspan value is required; found [${count.text}]`)
  return Math.min(spanMs, maxSpanMsMax)
}

const spanUnitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function expectAssignment(reader: TokenReader): void {
  reader.expectSymbol('=')
}
