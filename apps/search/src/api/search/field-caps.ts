import { compilePattern } from '@logstack/rules'
import { findFieldType } from '../../indices/field-types/index.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { resolveRuntimeFields } from '../../indices/runtime-fields.ts'
import { isObject } from '../../json/json-object.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Mapping, ResolvedField } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'
import { parsingError } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { visibleMapping } from '../../security/visible-mapping.ts'
import type { Services } from '../../services.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { indicesHolding } from './index-filter.ts'

/** What one index can do with a field. */
interface Capability {
  readonly type: string
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly metadata: boolean
  readonly meta?: Readonly<Record<string, unknown>>
}

const metadata = (type: string, searchable: boolean, aggregatable: boolean): Capability => ({
  type,
  searchable,
  aggregatable,
  metadata: true,
})
const metadataFields: ReadonlyMap<string, Capability> = new Map([
  ['_id', metadata('_id', true, false)],
  ['_ignored', metadata('_ignored', true, true)],
  ['_index', metadata('_index', true, true)],
  ['_routing', metadata('_routing', true, false)],
  ['_seq_no', metadata('_seq_no', true, true)],
  ['_source', metadata('_source', false, false)],
  ['_version', metadata('_version', false, true)],
])

/** A field over all indices that have it with one type. */
interface MergedType {
  readonly capability: Capability
  readonly indices: string[]
  /** Every value of each key of `meta`. */
  readonly meta: Map<string, Set<string>>
}

/** `_field_caps`: which fields there are over several indices, of which types, and what can be done with them. */
export const fieldCapsRoute = defineRoute({
  name: 'field_caps',
  methods: ['GET', 'POST'],
  paths: ['/_field_caps', '/{index}/_field_caps'],
  privilege: 'authenticated',
  parameters: {
    ...indicesOptionParameters,
    fields: 'list',
    include_unmapped: 'boolean',
    filters: 'list',
    types: 'list',
    include_empty_fields: 'boolean',
  },
  async handle(request, services) {
    const body = readBody(request)
    const patterns = namesOf(body['fields'] ?? request.query['fields'])
    if (patterns.length === 0) throw validationError('no fields specified')
    const found = resolveAuthorized(request, services, {
      route: 'field_caps',
      privilege: 'read',
      expression: request.params['index'] ?? '',
      options: resolveOptions(request.query, { forbidClosed: true }),
    })
    const kept = await indicesHolding(services, request, found, body['index_filter'])
    const indices = kept.map(({ index }) => index).sort((a, b) => (a.name < b.name ? -1 : 1))
    const runtime = resolveRuntimeFields(body['runtime_mappings'] ?? {})
    const fields = mergeCapabilities(services, request, { indices, runtime }, patterns)
    return { json: { indices: indices.map(({ name }) => name), fields } }
  },
})

function readBody(request: RouteRequest): Readonly<Record<string, unknown>> {
  const body = request.json() ?? {}
  if (!isObject(body)) throw parsingError('Expected [START_OBJECT] but found something else')
  for (const key of Object.keys(body)) {
    if (key !== 'fields' && key !== 'index_filter' && key !== 'runtime_mappings')
      throw parsingError(`[field_caps_request] unknown field [${key}]`)
  }
  return body
}

function namesOf(given: unknown): string[] {
  if (given === undefined) return []
  return Array.isArray(given) ? given.map(scalarText) : scalarText(given).split(',')
}

function mergeCapabilities(
  services: Services,
  request: RouteRequest,
  {
    indices,
    runtime,
  }: { readonly indices: readonly IndexMeta[]; readonly runtime: ReadonlyMap<string, ResolvedField> },
  patterns: readonly string[],
): Record<string, unknown> {
  const tests = patterns.map((text) => compilePattern({ kind: 'wildcard', text, caseInsensitive: false }))
  const isAsked = (path: string) => tests.some((matches) => matches(path))
  const byField = new Map<string, Map<string, MergedType>>()
  for (const [found, names] of chosenTogether(services, request, { indices, runtime }, isAsked))
    for (const [path, capability] of found) {
      const types = byField.get(path) ?? new Map<string, MergedType>()
      const known = types.get(capability.type)
      const meta = Object.entries(capability.meta ?? {})
      if (known) known.indices.push(...names)
      else types.set(capability.type, { capability, indices: [...names], meta: new Map() })
      const values = (types.get(capability.type) as MergedType).meta
      for (const [key, value] of meta) values.set(key, (values.get(key) ?? new Set()).add(String(value)))
      byField.set(path, types)
    }
  const answer: Record<string, unknown> = {}
  for (const [path, types] of [...byField].sort(([a], [b]) => (a < b ? -1 : 1)))
    answer[path] = renderTypes(types, indices, request.query['include_unmapped'] === true)
  return answer
}

/** The fields that are asked for, with the names of the indices that have just these: those of one mapping are looked through once, as a family has hundreds of indices and thousands of fields. */
function chosenTogether(
  services: Services,
  request: RouteRequest,
  {
    indices,
    runtime,
  }: { readonly indices: readonly IndexMeta[]; readonly runtime: ReadonlyMap<string, ResolvedField> },
  isAsked: (path: string) => boolean,
): ReadonlyMap<ReadonlyMap<string, Capability>, readonly string[]> {
  const byMapping = new Map<Mapping, ReadonlyMap<string, Capability>>()
  const groups = new Map<ReadonlyMap<string, Capability>, string[]>()
  for (const index of indices) {
    const seesAll = request.scope.limitsFieldNames?.(index.name) === false
    const known = seesAll ? byMapping.get(index.mapping) : undefined
    const found = known ?? chosen(capabilities(services, request, { index, runtime, seesAll }), isAsked, request)
    if (seesAll) byMapping.set(index.mapping, found)
    const names = groups.get(found)
    if (names) names.push(index.name)
    else groups.set(found, [index.name])
  }
  return groups
}

/** Names are shown to whoever may see the mapping, whether it may read the documents or not. */
function seesName(scope: Scope, index: string, path: string): boolean {
  return scope.canSeeFieldName?.(index, path) ?? scope.canSeeField(index, path)
}

const parentObject: Capability = { type: 'object', searchable: false, aggregatable: false, metadata: false }

/** The fields that are asked for, and unless `-parent` the objects that they stand in, which nobody can ask for. */
function chosen(
  capabilities: Iterable<[string, Capability]>,
  isAsked: (path: string) => boolean,
  request: RouteRequest,
): ReadonlyMap<string, Capability> {
  const all = new Map(capabilities)
  const { filters = [] } = request.query as { readonly filters?: readonly string[] }
  const withParents = !filters.includes('-parent')
  const found = new Map<string, Capability>()
  for (const [path, capability] of all) {
    if (isObjectType(capability) || !isAsked(path) || !wanted(capability, request)) continue
    found.set(path, capability)
    for (let dot = path.lastIndexOf('.'); withParents && dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      const parent = path.slice(0, dot)
      if (found.has(parent)) break
      // A computed field may stand in objects that are mapped nowhere.
      const above = all.get(parent) ?? parentObject
      if (isObjectType(above)) found.set(parent, above)
    }
  }
  return found
}

function isObjectType({ type }: Capability): boolean {
  return type === 'object' || type === 'nested'
}

function* capabilities(
  services: Services,
  request: RouteRequest,
  {
    index,
    runtime,
    seesAll,
  }: {
    readonly index: IndexMeta
    readonly runtime: ReadonlyMap<string, ResolvedField>
    /** Whether all names of the index are shown, as to most. */
    readonly seesAll: boolean
  },
): Iterable<[string, Capability]> {
  yield* metadataFields
  // Those of the request hide those of the index.
  for (const [path, field] of runtime) yield [path, capabilityOf(field)]
  for (const [path, field] of services.catalogue.fields(index)) {
    if (runtime.has(path) || !(seesAll || seesName(request.scope, index.name, field.path))) continue
    yield [path, capabilityOf(field)]
  }
  yield* objectsIn(visibleMapping(request.scope, index).properties, '')
}

function* objectsIn(properties: Mapping['properties'], prefix: string): Iterable<[string, Capability]> {
  for (const [name, { type, properties: inner }] of Object.entries(properties ?? {})) {
    if (type !== 'nested' && type !== 'object' && inner === undefined) continue
    yield [prefix + name, { type: type ?? 'object', searchable: false, aggregatable: false, metadata: false }]
    yield* objectsIn(inner, `${prefix}${name}.`)
  }
}

function capabilityOf(field: ResolvedField): Capability {
  const type = findFieldType(field.wireType)
  const { index, doc_values: docValues, meta } = field.parameters
  return {
    type: type?.family ?? field.wireType,
    searchable:
      type?.valueType !== undefined &&
      type.presenceOnly !== true &&
      type.refusals?.exists === undefined &&
      !(index === false && (docValues === false || !type.aggregatable)),
    aggregatable: type?.aggregatable === true && docValues !== false,
    metadata: false,
    ...(isObject(meta) ? { meta } : {}),
  }
}

function wanted(capability: Capability, { query }: RouteRequest): boolean {
  const { filters = [], types = [] } = query as {
    readonly filters?: readonly string[]
    readonly types?: readonly string[]
  }
  if (types.length > 0 && !types.includes(capability.type)) return false
  if (filters.includes('-metadata') && capability.metadata) return false
  return !(filters.includes('+metadata') && !capability.metadata)
}

function renderTypes(
  types: ReadonlyMap<string, MergedType>,
  all: readonly IndexMeta[],
  includeUnmapped: boolean,
): Record<string, unknown> {
  const mapped = new Set([...types.values()].flatMap(({ indices }) => indices))
  const unmapped = includeUnmapped ? all.map(({ name }) => name).filter((name) => !mapped.has(name)) : []
  const several = types.size > 1 || unmapped.length > 0
  const answer: Record<string, unknown> = {}
  for (const [type, { capability, indices, meta }] of types)
    answer[type] = {
      type,
      metadata_field: capability.metadata,
      searchable: capability.searchable,
      aggregatable: capability.aggregatable,
      ...(several ? { indices: indices.sort() } : {}),
      ...(meta.size === 0
        ? {}
        : { meta: Object.fromEntries([...meta].sort().map(([key, values]) => [key, [...values].sort()])) }),
    }
  if (unmapped.length > 0)
    answer['unmapped'] = {
      type: 'unmapped',
      metadata_field: false,
      searchable: false,
      aggregatable: false,
      indices: unmapped,
    }
  return answer
}
