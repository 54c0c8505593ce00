import { AppError, searchErrors } from '@logstack/errors'
import type { IndexSettings } from '../model/index-meta.ts'
import { rebuildsSources, showsSources } from '../model/kept-source.ts'
import type { FieldMapping, Mapping } from '../model/mapping.ts'
import { checkAliases } from './check-aliases.ts'
import { checkJoin, relationConflicts } from './join-mapping.ts'
import { dottedProperties, holdsNoObjects } from './subobjects.ts'

/** What a merge is for: `update` keeps what exists, `template` lets the later definition of a field win. */
export type MergeReason = 'update' | 'template'

type Properties = Readonly<Record<string, FieldMapping>>

function conflict(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** Parameters of a leaf that a later mapping may change; all others must stay as they are. */
const changeable = new Set([
  'meta',
  'copy_to',
  'ignore_above',
  'ignore_malformed',
  'coerce',
  'boost',
  'search_analyzer',
  'search_quote_analyzer',
  'eager_global_ordinals',
  'fielddata',
  'fielddata_frequency_filter',
  'split_queries_on_whitespace',
  'ignore_z_value',
  'fields',
  'depth_limit',
  'path',
])

/** What a parameter is when a mapping does not say it, so that saying the default is no change. */
const defaults: Readonly<Record<string, unknown>> = {
  index: true,
  doc_values: true,
  store: false,
  index_phrases: false,
  term_vector: 'no',
  position_increment_gap: 100,
  similarity: 'BM25',
  analyzer: 'default',
  normalizer: null,
  null_value: null,
  time_series_dimension: false,
  positive_score_impact: true,
  locale: 'ROOT',
}

function parameterOf(field: FieldMapping, parameter: string): unknown {
  return field[parameter] ?? defaults[parameter]
}

function isObjectMapping(field: FieldMapping): boolean {
  return field.type === undefined || field.type === 'object' || field.type === 'nested'
}

function showParameter(value: unknown): string {
  return value === undefined
    ? 'null'
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)
}

function mayChange(parameter: string, from: unknown, to: unknown): boolean {
  if (changeable.has(parameter) || JSON.stringify(from) === JSON.stringify(to)) return true
  if (parameter === 'norms') return to === false
  return parameter === 'value' && (from === undefined || to === undefined)
}

function mergeLeaf(path: string, existing: FieldMapping, incoming: FieldMapping, reason: MergeReason): FieldMapping {
  if (reason === 'template') return incoming
  if (existing.type !== incoming.type)
    throw conflict(`mapper [${path}] cannot be changed from type [${existing.type}] to [${incoming.type}]`)
  const parameters = new Set([...Object.keys(existing), ...Object.keys(incoming)])
  const others = existing.type === 'join' ? [...parameters].filter((name) => name !== 'relations') : [...parameters]
  const problems = others
    .filter((parameter) => !mayChange(parameter, parameterOf(existing, parameter), parameterOf(incoming, parameter)))
    .map((parameter) => {
      const [from, to] = [parameterOf(existing, parameter), parameterOf(incoming, parameter)]
      return `\n\tCannot update parameter [${parameter}] from [${showParameter(from)}] to [${showParameter(to)}]`
    })
  problems.push(...relationConflicts(existing, incoming))
  if (problems.length > 0) throw conflict(`Mapper for [${path}] conflicts with existing mapper:${problems.join('')}`)
  const fields = mergeProperties(`${path}.`, existing.fields, incoming.fields, reason)
  const value = incoming['value'] ?? existing['value']
  return {
    ...incoming,
    ...(value === undefined ? {} : { value }),
    ...(fields === undefined ? {} : { fields }),
  }
}

function mergeObject(path: string, existing: FieldMapping, incoming: FieldMapping, reason: MergeReason): FieldMapping {
  if (existing.type === 'nested' && incoming.type !== 'nested' && reason === 'update')
    throw conflict(`can't merge a non-nested mapping [${path}] with a nested mapping`)
  if (existing.type !== 'nested' && incoming.type === 'nested' && reason === 'update')
    throw conflict(`can't merge a nested mapping [${path}] with a non-nested mapping`)
  if (reason === 'update' && incoming.enabled !== undefined && (existing.enabled ?? true) !== incoming.enabled)
    throw conflict(`the [enabled] parameter can't be updated for the object mapping [${path}]`)
  checkSubobjects(path, existing, incoming, reason)
  const properties = mergeFields(path, existing, incoming, reason)
  const merged: Record<string, unknown> = { ...existing, ...incoming }
  if (properties !== undefined) merged['properties'] = properties
  // `type: object` is only shown of an object that says nothing else.
  if (merged['type'] === 'object' && properties !== undefined) delete merged['type']
  return merged
}

/** An object that holds no others stays one; what was said of it before cannot be taken back. */
function checkSubobjects(path: string, existing: Mapping, incoming: Mapping, reason: MergeReason): void {
  const says = incoming['subobjects'] !== undefined || incoming['disable_objects'] !== undefined
  if (reason === 'update' && says && holdsNoObjects(existing) !== holdsNoObjects(incoming))
    throw conflict(
      `the [subobjects] parameter can't be updated for the object mapping [${path === '' ? '_doc' : path}]`,
    )
}

/** The fields of two objects together, under dotted names where one of them says that it holds no objects. */
function mergeFields(path: string, existing: Mapping, incoming: Mapping, reason: MergeReason): Properties | undefined {
  const dotted = holdsNoObjects(existing) || holdsNoObjects(incoming)
  const fields = (properties: Properties | undefined) =>
    dotted && properties !== undefined ? dottedProperties(properties, path) : properties
  const prefix = path === '' ? '' : `${path}.`
  return mergeProperties(prefix, fields(existing.properties), fields(incoming.properties), reason)
}

function mergeField(path: string, existing: FieldMapping, incoming: FieldMapping, reason: MergeReason): FieldMapping {
  const [wasObject, isObject] = [isObjectMapping(existing), isObjectMapping(incoming)]
  if (wasObject && isObject) return mergeObject(path, existing, incoming, reason)
  if (wasObject !== isObject && reason === 'update')
    throw conflict(
      wasObject
        ? `can't merge a non object mapping [${path}] with an object mapping`
        : `can't merge a non object mapping [${path}] with an object mapping`,
    )
  return wasObject !== isObject ? incoming : mergeLeaf(path, existing, incoming, reason)
}

function mergeProperties(
  prefix: string,
  existing: Properties | undefined,
  incoming: Properties | undefined,
  reason: MergeReason,
): Properties | undefined {
  if (incoming === undefined || existing === undefined) return incoming ?? existing
  const merged = new Map(Object.entries(existing))
  for (const [name, field] of Object.entries(incoming)) {
    const before = merged.get(name)
    merged.set(
      name,
      before === undefined || before === field ? field : mergeField(prefix + name, before, field, reason),
    )
  }
  return Object.fromEntries(merged)
}

/** Templates of mappings are put together by their names; an update takes the place of all that there were. */
function mergeDynamicTemplates(
  existing: Mapping,
  incoming: Mapping,
  reason: MergeReason,
): Pick<Mapping, 'dynamic_templates'> {
  if (incoming.dynamic_templates === undefined || reason === 'update') return {}
  const byName = new Map<string, Readonly<Record<string, unknown>>>()
  for (const entry of [...(existing.dynamic_templates ?? []), ...incoming.dynamic_templates])
    byName.set(Object.keys(entry)[0] ?? '', entry)
  return { dynamic_templates: [...byName.values()] }
}

/** Runtime or derived fields by name; a later one replaces an earlier as a whole, null takes it away. */
function mergeComputed(existing: Mapping, incoming: Mapping, kind: 'runtime' | 'derived'): Partial<Mapping> {
  const added = incoming[kind]
  if (added === undefined) return {}
  const merged = Object.entries({ ...existing[kind], ...added }).filter(([, field]) => field !== null)
  return { [kind]: merged.length === 0 ? undefined : Object.fromEntries(merged) }
}

/** Whether sources are shown, and how they are kept, stays as it was when the index was made. */
function checkKeptSource(existing: Mapping, incoming: Mapping): void {
  if (incoming['_source'] === undefined) return
  const refuseChange = (parameter: string, read: (mapping: Mapping) => unknown): void => {
    const [from, to] = [read(existing), read(incoming)]
    if (from !== to)
      throw conflict(
        `Mapper for [_source] conflicts with existing mapper:\n\tCannot update parameter [${parameter}] from [${from}] to [${to}]`,
      )
  }
  refuseChange('enabled', (mapping) => showsSources({ mapping }))
  refuseChange('mode', (mapping) => (rebuildsSources({ mapping, settings: {} }) ? 'synthetic' : 'stored'))
}

/**
 * Adds one checked mapping to another. `update` allows only additions and changeable parameters and throws `illegal_argument_exception`
 * otherwise; `template` lets later definitions win. The arguments stay as they are.
 */
export function mergeMappings(existing: Mapping, incoming: Mapping, reason: MergeReason = 'update'): Mapping {
  checkSubobjects('', existing, incoming, reason)
  const properties = mergeFields('', existing, incoming, reason)
  if (reason === 'update') checkKeptSource(existing, incoming)
  const meta =
    reason === 'template' && existing._meta && incoming._meta ? { _meta: { ...existing._meta, ...incoming._meta } } : {}
  return {
    ...existing,
    ...incoming,
    ...meta,
    ...mergeDynamicTemplates(existing, incoming, reason),
    ...mergeComputed(existing, incoming, 'runtime'),
    ...mergeComputed(existing, incoming, 'derived'),
    ...(properties === undefined ? {} : { properties }),
  }
}

/** Limits of a mapping, from the index settings `mapping.*`. */
export interface MappingLimits {
  readonly fieldsMax: number
  readonly depthMax: number
  readonly fieldNameLengthMax: number
  readonly nestedFieldsMax: number
  /** Objects of all `nested` fields in one document. */
  readonly nestedObjectsMax: number
  readonly ignoreDynamicBeyondLimit: boolean
}

/** The limits an index has by its settings. */
export function mappingLimits(settings: IndexSettings): MappingLimits {
  const limit = (name: string, fallback: number): number => Number(settings[`mapping.${name}.limit`] ?? fallback)
  return {
    fieldsMax: limit('total_fields', 1000),
    depthMax: limit('depth', 20),
    fieldNameLengthMax: limit('field_name_length', 50_000),
    nestedFieldsMax: limit('nested_fields', 100),
    nestedObjectsMax: limit('nested_objects', 10_000),
    ignoreDynamicBeyondLimit: settings['mapping.total_fields.ignore_dynamic_beyond_limit'] === 'true',
  }
}

const counted = new WeakMap<Properties, number>()

function countFields(properties: Properties | undefined): number {
  if (properties === undefined) return 0
  const known = counted.get(properties)
  if (known !== undefined) return known
  let count = 0
  for (const field of Object.values(properties)) count += 1 + countFields(field.properties) + countFields(field.fields)
  counted.set(properties, count)
  return count
}

/** Fields of a mapping as `total_fields.limit` counts them: objects, leaves, multi-fields, aliases and runtime fields. */
export function totalFields({ properties, runtime = {} }: Mapping): number {
  return countFields(properties) + Object.keys(runtime).length
}

/** The error of an object that lies deeper than its index allows. */
export function tooDeep(limits: MappingLimits, path: string): AppError {
  return conflict(`Limit of mapping depth [${limits.depthMax}] has been exceeded due to object field [${path}]`)
}

function checkDepth(properties: Properties | undefined, prefix: string, depth: number, limits: MappingLimits): number {
  let nested = 0
  for (const [name, field] of Object.entries(properties ?? {})) {
    const path = prefix + name
    if (name.length > limits.fieldNameLengthMax)
      throw conflict(`Field name [${name}] is longer than the limit of [${limits.fieldNameLengthMax}] characters`)
    if (isObjectMapping(field) && depth + 1 > limits.depthMax) throw tooDeep(limits, path)
    nested += (field.type === 'nested' ? 1 : 0) + checkDepth(field.properties, `${path}.`, depth + 1, limits)
  }
  return nested
}

/** Throws `mapper_parsing_exception` when a mapping has an alias of nothing or names a field that its join field brings, `illegal_argument_exception` when it is larger than its index allows; `added` is named when documents brought the fields. */
export function checkMappingLimits(mapping: Mapping, limits: MappingLimits, added?: number): void {
  if (totalFields(mapping) > limits.fieldsMax)
    throw conflict(
      `Limit of total fields [${limits.fieldsMax}] has been exceeded${added === undefined ? '' : ` while adding new fields [${added}]`}`,
    )
  checkJoin(mapping)
  // What documents add is no alias.
  if (added === undefined) checkAliases(mapping)
  const nested = checkDepth(mapping.properties, '', 1, limits)
  if (nested > limits.nestedFieldsMax)
    throw conflict(`Limit of nested fields [${limits.nestedFieldsMax}] has been exceeded`)
}
