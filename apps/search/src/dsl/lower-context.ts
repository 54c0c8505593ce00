import { compilePattern, type Predicate } from '@logstack/rules'
import type { IndexMeta, ResolvedField } from '../indices/model.ts'
import type { Scope } from '../security/scope.ts'
import { checkClauses } from './clause-limit.ts'
import type { LowerContext } from './define-query.ts'
import { lowerQuery } from './queries/index.ts'
import { illegalArgument } from './shapes/refuse.ts'

/** The default of `indices.query.bool.max_nested_depth`. */
const nestedDepthMax = 30

const metadataTypes = {
  _id: 'string',
  _index: 'string',
  _routing: 'string',
  _ignored: 'string',
  _seq_no: 'long',
  _version: 'long',
} as const
const metadataFields: ReadonlyMap<string, ResolvedField> = new Map(
  Object.entries(metadataTypes).map(([path, valueType]) => [
    path,
    { path, wireType: path, valueType, parameters: {}, sourcePath: path },
  ]),
)

/** What a context is made from; no index means none of the requested ones exist, and every field is unmapped. */
export interface ContextSource {
  readonly index: Pick<IndexMeta, 'name' | 'settings'> | undefined
  readonly fields: ReadonlyMap<string, ResolvedField>
  readonly scope: Pick<Scope, 'canSeeField'>
  readonly nowMs: number
}

/** A look-up that was made while lowering, and what it found: two indices of a table that answer all alike share their lowered form. */
export interface Trace {
  readonly kind: 'field' | 'matching' | 'index'
  readonly asked: string
  readonly found: string
}

/** A context that remembers which look-ups decided its answers. */
export interface TracedContext extends LowerContext {
  /** The clauses with a `_name` that were lowered until now. */
  readonly namedClauses: ReadonlyMap<string, Predicate>
  readonly trace: readonly Trace[]
  /** Whether another index would have answered the same. */
  agrees(trace: readonly Trace[]): boolean
}

/** Makes the context of one index under one scope. */
export function createLowerContext(source: ContextSource): TracedContext {
  const indexName = source.index?.name ?? ''
  const trace: Trace[] = []
  const seen = new Set<string>()
  const namedClauses = new Map<string, Predicate>()
  let depth = 0
  const note = (kind: Trace['kind'], asked: string, found: string) => {
    const key = `${kind} ${asked}`
    if (!seen.has(key)) trace.push({ kind, asked, found })
    seen.add(key)
  }
  return {
    trace,
    namedClauses,
    named: (name, predicate) => void namedClauses.set(name, predicate),
    agrees: (other) =>
      other.every(({ kind, asked, found }) => {
        if (kind === 'field') return signature(findField(source, asked)) === found
        return kind === 'index' ? indexName === found : matchingFields(source, asked).map(signature).join() === found
      }),
    field(path) {
      const field = findField(source, path)
      note('field', path, signature(field))
      return field
    },
    fieldsMatching(pattern) {
      const fields = matchingFields(source, pattern)
      note('matching', pattern, fields.map(signature).join())
      return fields
    },
    lower(query) {
      if (++depth > nestedDepthMax)
        throw illegalArgument(
          `The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth] of [${nestedDepthMax}]`,
        )
      const predicate = lowerQuery(query, this)
      depth--
      if (depth === 0) checkClauses(predicate, indexName)
      return predicate
    },
    nowMs: source.nowMs,
    get indexName() {
      note('index', '', indexName)
      return indexName
    },
    defaultFields: source.index?.settings['query.default_field']?.split(',') ?? ['*'],
  }
}

function findField(source: ContextSource, path: string): ResolvedField | undefined {
  const metadata = metadataFields.get(path)
  if (metadata) return metadata
  const field = source.fields.get(path)
  const target = field?.wireType === 'alias' ? source.fields.get(String(field.parameters['path'])) : field
  if (!target || (source.index && !source.scope.canSeeField(source.index.name, target.path))) return undefined
  return target
}

function matchingFields(source: ContextSource, pattern: string): ResolvedField[] {
  const matches = compilePattern({ kind: 'wildcard', text: pattern, caseInsensitive: false })
  const found: ResolvedField[] = []
  for (const path of source.fields.keys()) {
    const field = matches(path) ? findField(source, path) : undefined
    if (field) found.push(field)
  }
  return found
}

const signatures = new WeakMap<ResolvedField, string>()

function signature(field: ResolvedField | undefined): string {
  if (!field) return ''
  const known = signatures.get(field)
  if (known !== undefined) return known
  const made = JSON.stringify([field.path, field.wireType, field.valueType, field.parameters, field.sourcePath])
  signatures.set(field, made)
  return made
}
