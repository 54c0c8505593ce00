import { compilePattern, type Predicate } from '@logstack/rules'
import { analysisOf } from '../analysis/analysis.ts'
import { analysisKey } from '../indices/field-words.ts'
import { joinOf } from '../indices/join-mapping.ts'
import { featureField, keyedField } from '../indices/keyed-fields.ts'
import { exactJson } from '../json/exact-json.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { Mapping, ResolvedField } from '../model/mapping.ts'
import type { Scope } from '../model/scope.ts'
import { asOfIndex, illegalArgument, ofRequest } from '../refusals/refuse.ts'
import type { Score } from '../scores/score.ts'
import { checkClauses } from './clause-limit.ts'
import { ComputedFields } from './computed-fields.ts'
import type { LowerContext } from './define-query.ts'
import { expensiveClause, refuseExpensive } from './expensive-clauses.ts'
import type { NestedHits } from './inner-hits.ts'
import type { JoinedHits } from './joined-rows.ts'
import { metadataField } from './metadata-fields.ts'
import { lowerQuery, scoreQuery } from './queries/index.ts'

/** The default of `indices.query.bool.max_nested_depth`. */
const nestedDepthMax = 30
/** Joins within each other: with each of them the engine thinks twice as long before it reads, and of those with scores from a few milliseconds more. */
const joinsMax = { all: 10, scored: 5 }

/** What a context is made from; no index means none of the requested ones exist, and every field is unmapped. */
export interface ContextSource {
  readonly index: Pick<IndexMeta, 'name' | 'settings' | 'mapping'> | undefined
  readonly fields: ReadonlyMap<string, ResolvedField>
  /** Runtime fields of the request, which hide mapped ones of their names. */
  readonly runtime?: ReadonlyMap<string, ResolvedField> | undefined
  readonly scope: Pick<Scope, 'canSeeField'>
  readonly nowMs: number
  /** Whether clauses with a `_name` are scored, each by itself. */
  readonly namedScores?: boolean
  /** Whether clauses that are dear are refused. */
  readonly refusesExpensive?: boolean
  /** What stands around the query of a join. */
  readonly around?: Around
}

/** How many queries a query is within, and how many of these are joins, with scores and in all. */
interface Around {
  readonly depth: number
  readonly joins: Readonly<Record<keyof typeof joinsMax, number>>
}

/** A clause with a `_name`: what it matches, and what it scores where that was asked for. */
export interface NamedClause {
  readonly predicate: Predicate
  readonly score: Score | undefined
}

/** A look-up that was made while lowering, and what it found: two indices of a table that answer all alike share their lowered form. */
export interface Trace {
  readonly kind: 'field' | 'feature' | 'join' | 'nested' | 'matching' | 'index' | 'setting' | 'analysis'
  readonly asked: string
  readonly found: string
}

/** A context that remembers which look-ups decided its answers. */
export interface TracedContext extends LowerContext {
  /** The clauses with a `_name` that were lowered until now. */
  readonly namedClauses: ReadonlyMap<string, NamedClause>
  readonly trace: readonly Trace[]
  /** The objects of nested clauses that are shown with each hit, by their name. */
  readonly nestedHits: ReadonlyMap<string, NestedHits>
  /** Hits that are joined to each hit and shown with it, by their name. */
  readonly joinedHits: ReadonlyMap<string, JoinedHits>
  /** Notes what a request shows of its hits: nothing is computed for it before they are found. */
  shows(pattern: string): void
  /** Notes a field that a request reads where an index has it, and goes without where not. */
  mayRead(path: string): unknown
  /** Whether another index would have answered the same. */
  agrees(trace: readonly Trace[]): boolean
}

/** Makes the context of one index under one scope. */
export function createLowerContext(source: ContextSource): TracedContext {
  const trace: Trace[] = []
  const seen = new Set<string>()
  const namedClauses = new Map<string, NamedClause>()
  const computed = new ComputedFields()
  let [depth, inside] = [0, '']
  /** In a query the fields of a nested object have values only within it; elsewhere they are shown with all others. */
  const reaches = (field: ResolvedField) => liesIn(depth === 0 ? inside : homeOf(source, field), inside)
  const note = (kind: Trace['kind'], asked: string) => {
    const key = `${kind} ${asked}`
    if (!seen.has(key)) trace.push({ kind, asked, found: look(source, kind, asked) })
    seen.add(key)
  }
  const noted = <T>(kind: Trace['kind'], asked: string, found: T): T => {
    note(kind, asked)
    return found
  }
  const sought = (kind: 'field' | 'feature' | 'matching', path: string, field?: ResolvedField) =>
    noted(kind, path, field && reaches(field) ? computed.noted(field) : undefined)
  const deeper = <T>(work: () => T): T => {
    depth++
    return lastly(work, () => depth--)
  }
  const outermost = <T>(work: () => T): T => (depth === 0 ? asOfIndex(source.index?.name ?? '', work) : work())
  const context: TracedContext = {
    trace,
    namedClauses,
    computed,
    scoresAtLeast: (least) => computed.scoresAtLeast(least, depth === 1),
    mayRead: (path) => sought('matching', path, findField(source, path)),
    shows: (pattern) => note(pattern.includes('*') ? 'matching' : 'field', pattern),
    ...shownHits((query) => context.lower(query)),
    join: () => noted('join', '', source.index && joinOf(source.index.mapping)),
    lowerApart: (query, isScored) => lowerApart({ ...source, around: around(source, depth, isScored) }, query, note),
    named: (name, predicate, score) => void namedClauses.set(name, namedClause(source, predicate, score)),
    agrees: agreement(source),
    field: (path) => sought('field', path, findField(source, path) ?? computed.fields.get(path)),
    feature: (path) => sought('feature', path, findFeature(source, path)),
    isNested: (path) => noted('nested', path, nestedPaths(source.index?.mapping).has(path)),
    homeOf: (field) => homeOf(source, field),
    inside: () => inside,
    within: (path, work) => {
      const outer = inside
      inside = path
      return lastly(work, () => {
        inside = outer
      })
    },
    fieldsMatching(pattern) {
      note('matching', pattern)
      return computed.notedAll(pattern, matchingFields(source, pattern).filter(reaches))
    },
    lower(query) {
      if (depth + (source.around?.depth ?? 0) >= nestedDepthMax) throw tooDeep()
      const predicate = outermost(() => deeper(() => lowerQuery(query, this)))
      return depth === 0 ? checkedWhole(predicate, source) : predicate
    },
    score: (query) => outermost(() => deeper(() => scoreQuery(query, context))),
    spend: (kind) => checkKind(kind, source),
    nowMs: source.nowMs,
    get indexName() {
      note('index', '')
      return source.index?.name ?? ''
    },
    ...ofSettings(source, noted),
    ...ofIndex(source),
  }
  return context
}

/** Does work, and something else after it however it ends. */
function lastly<T>(work: () => T, after: () => void): T {
  try {
    return work()
  } finally {
    after()
  }
}

/** What an index finds in look-ups that were made of another. */
export function answersOf(source: ContextSource, trace: readonly Trace[]): readonly string[] {
  return trace.map(({ kind, asked }) => look(source, kind, asked))
}

/** The hits that clauses show within each hit. */
function shownHits(
  lower: LowerContext['lower'],
): Pick<
  TracedContext,
  'nestedHits' | 'showsNested' | 'joinedHits' | 'showsJoined' | 'lowerUnshown' | 'marks' | 'marked'
> {
  const nestedHits = new Map<string, NestedHits>()
  const joinedHits = new Map<string, JoinedHits>()
  const marked: Predicate[] = []
  let unshown = 0
  return {
    marked,
    marks(optional) {
      if (unshown === 0) marked.push(...optional)
    },
    nestedHits,
    showsNested(hits) {
      if (unshown === 0) nestedHits.set(hits.name, hits)
    },
    joinedHits,
    showsJoined(hits) {
      if (unshown === 0) showJoined(joinedHits, hits)
    },
    lowerUnshown(query) {
      unshown++
      try {
        return lower(query)
      } finally {
        unshown--
      }
    },
  }
}

/** Throws where other hits have the name. */
function showJoined(shown: Map<string, JoinedHits>, hits: JoinedHits): void {
  const known = shown.get(hits.name)
  if (known && exactJson(known) !== exactJson(hits))
    throw illegalArgument(`[inner_hits] already contains an entry for key [${hits.name}]`)
  shown.set(hits.name, hits)
}

function lowerApart(source: ContextSource, query: unknown, note: (kind: Trace['kind'], asked: string) => void) {
  const context = createLowerContext(source)
  const predicate = context.lower(query)
  for (const { kind, asked } of context.trace) note(kind, asked)
  return predicate
}

/** What is around the query of one more join. Throws `illegal_argument_exception` for too many joins within each other. */
function around(source: ContextSource, depth: number, isScored: boolean): Around {
  const { depth: outer, joins } = source.around ?? { depth: 0, joins: { all: 0, scored: 0 } }
  const inner = { all: joins.all + 1, scored: joins.scored + (isScored ? 1 : 0) }
  for (const kind of ['all', 'scored'] as const)
    if (inner[kind] > joinsMax[kind])
      throw ofRequest(
        illegalArgument(
          `more than [${joinsMax[kind]}] joining queries${kind === 'scored' ? ' that score' : ''} are within each other`,
        ),
      )
  return { depth: outer + depth, joins: inner }
}

/** What a context says of the settings of its index. */
function ofSettings(
  { index }: ContextSource,
  noted: <T>(kind: Trace['kind'], asked: string, found: T) => T,
): Pick<LowerContext, 'setting' | 'analyzer' | 'defaultFields'> {
  const setting = (name: string) => noted('setting', name, index?.settings[name])
  return {
    setting,
    analyzer: (name) => noted('analysis', '', analysisOf(index?.settings ?? {}).analyzer(name)),
    defaultFields: () => setting('query.default_field')?.split(',') ?? ['*'],
  }
}

/** What a context says of its index without having it noted. */
function ofIndex(source: ContextSource): Pick<LowerContext, 'reportedIndex' | 'hasIndex' | 'aliasesMatching'> {
  const { index } = source
  return {
    aliasesMatching: (pattern) => matchingAliases(source, pattern),
    reportedIndex: index?.name ?? '',
    hasIndex: index !== undefined,
  }
}

function checkKind(kind: string, { index, refusesExpensive }: ContextSource): void {
  if (refusesExpensive === true) throw expensiveClause(kind, index?.name ?? '')
}

/** A query that was lowered, when it is found right as a whole. */
function checkedWhole(predicate: Predicate, { index, fields, refusesExpensive }: ContextSource): Predicate {
  checkClauses(predicate, index?.name ?? '')
  if (refusesExpensive === true) refuseExpensive(predicate, fields, index?.name ?? '')
  return predicate
}

function namedClause({ namedScores }: ContextSource, predicate: Predicate, score: () => Score): NamedClause {
  return { predicate, score: namedScores ? score() : undefined }
}

/** Whether what is at home in a nested object can be seen from within another, or from it itself. */
function liesIn(home: string, inside: string): boolean {
  return home === '' || home === inside || inside.startsWith(`${home}.`)
}

function tooDeep() {
  return ofRequest(
    illegalArgument(
      `The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth] of [${nestedDepthMax}]`,
    ),
  )
}

/** Compares an index with others, and looks everything up once: it is compared with each of its table that answers otherwise, which are hundreds where each has fields of its own. */
function agreement(source: ContextSource): TracedContext['agrees'] {
  const looked = new Map<string, string>()
  const lookOnce = ({ kind, asked }: Trace): string => {
    const key = `${kind} ${asked}`
    const found = looked.get(key) ?? look(source, kind, asked)
    looked.set(key, found)
    return found
  }
  return (trace) => trace.every((one) => lookOnce(one) === one.found)
}

/** What a look-up finds, as text to compare. */
function look(source: ContextSource, kind: Trace['kind'], asked: string): string {
  switch (kind) {
    case 'field':
      return placed(source, findField(source, asked))
    case 'feature':
      return placed(source, findFeature(source, asked))
    case 'matching':
      if (!asked.includes('*')) return placed(source, findField(source, asked))
      return matchingFields(source, asked)
        .map((field) => placed(source, field))
        .join()
    case 'join':
      return String(exactJson([...(source.index ? (joinOf(source.index.mapping)?.relations ?? []) : [])]))
    case 'nested':
      return String(nestedPaths(source.index?.mapping).has(asked))
    case 'setting':
      return source.index?.settings[asked] ?? ''
    case 'index':
      return source.index?.name ?? ''
    case 'analysis':
      return analysisKey(source.index?.settings ?? {})
  }
}

/** The paths of a mapping whose objects are kept apart. */
export function nestedPaths(mapping: Mapping | undefined): ReadonlySet<string> {
  if (!mapping) return new Set()
  const known = pathsByMapping.get(mapping)
  if (known) return known
  const found = new Set<string>()
  const walk = (properties: Mapping['properties'], prefix: string) => {
    for (const [name, { type, properties: inner, ...more }] of Object.entries(properties ?? {})) {
      // What is also kept in the document itself is found from everywhere.
      if (type === 'nested' && more['include_in_root'] !== true && more['include_in_parent'] !== true)
        found.add(prefix + name)
      walk(inner, `${prefix}${name}.`)
    }
  }
  walk(mapping.properties, '')
  pathsByMapping.set(mapping, found)
  return found
}

const pathsByMapping = new WeakMap<Mapping, ReadonlySet<string>>()

/** The innermost nested object a field is in; empty when it is in none. */
function homeOf(source: ContextSource, { sourcePath }: ResolvedField): string {
  const paths = nestedPaths(source.index?.mapping)
  if (paths.size === 0) return ''
  for (let dot = sourcePath.lastIndexOf('.'); dot > 0; dot = sourcePath.lastIndexOf('.', dot - 1))
    if (paths.has(sourcePath.slice(0, dot))) return sourcePath.slice(0, dot)
  return ''
}

function placed(source: ContextSource, field: ResolvedField | undefined): string {
  return field ? `${homeOf(source, field)} ${signature(field)}` : ''
}

function findField(source: ContextSource, path: string): ResolvedField | undefined {
  const metadata = metadataField(path)
  if (metadata) return metadata
  const field = source.runtime?.get(path) ?? source.fields.get(path) ?? keyedField(source.fields, path)
  const target = field?.wireType === 'alias' ? source.fields.get(String(field.parameters['path'])) : field
  if (!target || (source.index && !source.scope.canSeeField(source.index.name, target.path))) return undefined
  return target
}

/** The field of a path, or the feature of the `rank_features` field above it. */
function findFeature(source: ContextSource, path: string): ResolvedField | undefined {
  const feature = featureField(source.fields, path)
  // Who may see the field may see its features, whatever they are called.
  const isSeen = feature?.keyed && findField(source, feature.keyed.column) !== undefined
  return findField(source, path) ?? (isSeen ? feature : undefined)
}

function matchingAliases(source: ContextSource, pattern: string): (readonly [string, ResolvedField])[] {
  const matches = compilePattern({ kind: 'wildcard', text: pattern, caseInsensitive: false })
  return [...source.fields].flatMap(([name, { path }]): (readonly [string, ResolvedField])[] => {
    const field = path !== name && matches(name) ? findField(source, name) : undefined
    return field ? [[name, field]] : []
  })
}

function matchingFields(source: ContextSource, pattern: string): ResolvedField[] {
  const matches = compilePattern({ kind: 'wildcard', text: pattern, caseInsensitive: false })
  const found: ResolvedField[] = []
  for (const path of new Set([...source.fields.keys(), ...(source.runtime?.keys() ?? [])])) {
    const field = matches(path) ? findField(source, path) : undefined
    if (field) found.push(field)
  }
  return found
}

const signatures = new WeakMap<ResolvedField, string>()

/** What tells a field from others of its path, as text. */
export function signature(field: ResolvedField): string {
  const known = signatures.get(field)
  if (known !== undefined) return known
  const { path, wireType, valueType, parameters, sourcePath, computed, keyed, words, normalKey } = field
  const text = [path, wireType, valueType, parameters, sourcePath, computed, keyed, words?.key, normalKey]
  const made = JSON.stringify(text)
  signatures.set(field, made)
  return made
}
