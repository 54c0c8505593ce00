import type { ValueType } from '@logstack/rules'
import type { IndexSettings } from '../model/index-meta.ts'
import type { Dynamic, FieldMapping, Mapping, ResolvedField } from '../model/mapping.ts'
import { scalarText } from '../values/scalar-text.ts'
import { resolveDerivedFields } from './derived-fields.ts'
import { isDynamicText } from './dynamic-mapping.ts'
import type { FieldType } from './field-types/define-field-type.ts'
import { fieldTypeOf } from './field-types/index.ts'
import { joinField, parentFields } from './field-types/join.ts'
import { gramFields, gramSize } from './field-types/search-as-you-type.ts'
import { analysisKey, completionForm, fieldWords, normalizerOf } from './field-words.ts'
import { keyedPath } from './keyed-fields.ts'
import { resolveRuntimeFields } from './runtime-fields.ts'
import { holdsNoObjects } from './subobjects.ts'

/** A leaf of a mapping, ready for reading documents. */
export interface LeafNode {
  readonly kind: 'leaf'
  readonly field: ResolvedField
  readonly type: FieldType
  readonly valueType: ValueType | undefined
  readonly multiFields: readonly LeafNode[]
  readonly copyTo: readonly string[]
  /** Of `flattened` fields: where each value is kept with its key. */
  readonly keyed?: LeafNode
}

/** An object of a mapping. `children` is keyed by one name each, without dots unless it is `flat`. */
export interface ObjectNode {
  readonly kind: 'object'
  /** Empty for the root. */
  readonly path: string
  readonly dynamic: Dynamic
  readonly enabled: boolean
  /** `nested`: its objects are counted against a limit. */
  readonly nested: boolean
  /** Whether it holds no objects: those in documents are read as dotted names, and so are `children` keyed. */
  readonly flat: boolean
  readonly children: ReadonlyMap<string, MappingNode>
  /** Targets of dotted names that documents used (`"host.name": …`); filled while reading. */
  readonly dotted: Map<string, MappingNode>
}

export type MappingNode = LeafNode | ObjectNode

/** A mapping compiled for one set of index-wide defaults. */
export interface CompiledMapping {
  readonly root: ObjectNode
  /** Searchable leaves by path, aliases pointing at their targets. */
  readonly fields: ReadonlyMap<string, ResolvedField>
  /** Leaves that hold the same value in every document. */
  readonly constants: readonly { readonly leaf: LeafNode; readonly value: string }[]
  /** Whether some `constant_keyword` still waits for the document that gives it its value. */
  readonly awaitsConstants: boolean
}

/** Index-wide defaults of parameters. */
interface Defaults {
  readonly key: string
  readonly ignoreMalformed: boolean
  readonly coerce: boolean
  readonly settings: IndexSettings
}

interface CachedNode {
  readonly path: string
  readonly dynamic: Dynamic
  readonly key: string
  readonly node: MappingNode
}

// A wider mapping shares the definitions of the fields it had before, so only what is new is compiled again.
const nodes = new WeakMap<FieldMapping, CachedNode>()
const mappings = new WeakMap<Mapping, Map<string, CompiledMapping>>()

function withDefaults(
  definition: FieldMapping,
  type: FieldType,
  defaults: Defaults,
): Readonly<Record<string, unknown>> {
  const { type: _type, fields: _fields, copy_to: _copyTo, ...parameters } = definition
  if (!defaults.ignoreMalformed && defaults.coerce) return parameters
  const takes = (name: string): boolean => type.parameters.safeParse({ [name]: true }).success
  return {
    ...(defaults.ignoreMalformed && takes('ignore_malformed') ? { ignore_malformed: true } : {}),
    ...(!defaults.coerce && takes('coerce') ? { coerce: false } : {}),
    ...parameters,
  }
}

function isSearchable(definition: FieldMapping, type: FieldType): boolean {
  if (type.valueType === 'text') return definition['index'] !== false
  return definition['index'] !== false || definition['doc_values'] !== false
}

function compileLeaf(definition: FieldMapping, path: string, sourcePath: string, defaults: Defaults): LeafNode {
  const type = fieldTypeOf(definition.type ?? 'object')
  const valueType = isSearchable(definition, type) ? type.valueType : undefined
  const parameters = withDefaults(definition, type, defaults)
  const copyTo = definition['copy_to']
  const atOnce = valueType === 'text' && !isDynamicText(definition) ? { indexedAtOnce: true as const } : {}
  const phrases = valueType === 'text' && definition['index_phrases'] === true ? { indexesPhrases: true as const } : {}
  return {
    kind: 'leaf',
    field: {
      path,
      sourcePath,
      wireType: type.name,
      valueType,
      parameters,
      ...atOnce,
      ...phrases,
      ...analysed(type, parameters, defaults),
    },
    type,
    valueType,
    multiFields: subFieldsOf(definition, path).map(([subPath, sub]) => compileLeaf(sub, subPath, sourcePath, defaults)),
    copyTo: Array.isArray(copyTo) && type !== joinField ? copyTo.map(scalarText) : [],
    ...(type.objects === 'leaves' ? { keyed: keyedLeaf(type, path, valueType) } : {}),
  }
}

/** The entries of a `flattened` field: a column that no request names. */
function keyedLeaf(type: FieldType, path: string, valueType: ValueType | undefined): LeafNode {
  const column = keyedPath(path)
  const field = { path: column, sourcePath: path, wireType: type.name, valueType, parameters: {} }
  return { kind: 'leaf', field, type, valueType, multiFields: [], copyTo: [] }
}

/** The fields that read what a field does, by their paths. Those that a mapping gives a join field read nothing. */
function subFieldsOf(definition: FieldMapping, path: string): readonly (readonly [path: string, FieldMapping])[] {
  if (definition.type === joinField.name) return parentFields(definition, path)
  const below = Object.entries({ ...definition.fields, ...gramFieldsOf(definition) })
  return below.map(([name, sub]) => [`${path}.${name}`, sub])
}

/** The fields that a field has below it without being told. */
function gramFieldsOf(definition: FieldMapping): Readonly<Record<string, FieldMapping>> {
  const isWhole = definition.type === 'search_as_you_type' && definition[gramSize] === undefined
  return isWhole ? gramFields(definition) : {}
}

/** How the values of a text or keyword field become words, where that is up to the index. */
function analysed(
  { name, valueType }: FieldType,
  parameters: Readonly<Record<string, unknown>>,
  { settings }: Defaults,
): Pick<ResolvedField, 'words' | 'normal' | 'normalKey'> {
  if (valueType === 'text') {
    const words = fieldWords(parameters, settings)
    return words === undefined ? {} : { words }
  }
  if (name === 'completion') return { normal: completionForm(parameters, settings), normalKey: analysisKey(settings) }
  const normalizer = parameters['normalizer']
  if (typeof normalizer !== 'string' || normalizer === 'lowercase' || normalizer === 'default') return {}
  const normal = normalizerOf(normalizer, settings)
  return normal === undefined ? {} : { normal, normalKey: analysisKey(settings) }
}

function compileNode(definition: FieldMapping, path: string, dynamic: Dynamic, defaults: Defaults): MappingNode {
  const known = nodes.get(definition)
  if (known !== undefined && known.path === path && known.dynamic === dynamic && known.key === defaults.key)
    return known.node
  const isLeaf = definition.type !== undefined && definition.type !== 'object' && definition.type !== 'nested'
  const node = isLeaf
    ? compileLeaf(definition, path, path, defaults)
    : compileObject(definition, path, definition.dynamic ?? dynamic, defaults)
  nodes.set(definition, { path, dynamic, key: defaults.key, node })
  return node
}

function compileObject(definition: FieldMapping, path: string, dynamic: Dynamic, defaults: Defaults): ObjectNode {
  const children = new Map<string, MappingNode>()
  for (const [name, child] of Object.entries(definition.properties ?? {}))
    children.set(name, compileNode(child, path === '' ? name : `${path}.${name}`, dynamic, defaults))
  return {
    kind: 'object',
    path,
    dynamic,
    enabled: definition.enabled !== false,
    nested: definition.type === 'nested',
    flat: holdsNoObjects(definition),
    children,
    dotted: new Map(),
  }
}

function collect(node: MappingNode, into: LeafNode[]): void {
  if (node.kind === 'object') for (const child of node.children.values()) collect(child, into)
  else {
    into.push(node)
    for (const sub of node.multiFields) collect(sub, into)
  }
}

/** Of each path that values are copied to those that they come from. */
function copiesOf(leaves: readonly LeafNode[]): ReadonlyMap<string, readonly string[]> {
  const copied = new Map<string, readonly string[]>()
  for (const { field, copyTo } of leaves)
    for (const target of copyTo) copied.set(target, [...(copied.get(target) ?? []), field.path])
  return copied
}

function resolveFields(leaves: readonly LeafNode[]): Map<string, ResolvedField> {
  const fields = new Map<string, ResolvedField>()
  const copied = copiesOf(leaves)
  for (const { field, type } of leaves) {
    const copiedFrom = copied.get(field.sourcePath)
    if (type.name !== 'alias') fields.set(field.path, copiedFrom === undefined ? field : { ...field, copiedFrom })
  }
  for (const leaf of leaves) {
    if (leaf.type.name !== 'alias') continue
    const target = fields.get(String(leaf.field.parameters['path']))
    if (target !== undefined) fields.set(leaf.field.path, target)
  }
  return fields
}

/** The fields of a mapping with its derived and runtime fields, which hide mapped ones of their names. */
function withRuntimeFields(
  fields: Map<string, ResolvedField>,
  mapping: Mapping,
  settings: IndexSettings,
): Map<string, ResolvedField> {
  const { runtime = {}, derived = {} } = mapping
  const written = (some: Readonly<Record<string, unknown>>): unknown =>
    Object.fromEntries(Object.entries(some).filter(([, field]) => field !== null))
  for (const [path, field] of resolveDerivedFields(written(derived), settings)) fields.set(path, field)
  for (const [path, field] of resolveRuntimeFields(written(runtime))) fields.set(path, field)
  return fields
}

const defaultsBySettings = new WeakMap<IndexSettings, Defaults>()

function defaultsOf(settings: IndexSettings): Defaults {
  const known = defaultsBySettings.get(settings)
  if (known !== undefined) return known
  const made = makeDefaults(settings)
  defaultsBySettings.set(settings, made)
  return made
}

function makeDefaults(settings: IndexSettings): Defaults {
  const ignoreMalformed = settings['mapping.ignore_malformed'] === 'true'
  const coerce = settings['mapping.coerce'] !== 'false'
  return { key: `${ignoreMalformed}/${coerce}/${analysisKey(settings)}`, ignoreMalformed, coerce, settings }
}

/** The compiled form of a checked mapping under the index-wide defaults of `settings`; made once for each mapping object. */
export function compileMapping(mapping: Mapping, settings: IndexSettings): CompiledMapping {
  const defaults = defaultsOf(settings)
  let byDefaults = mappings.get(mapping)
  if (byDefaults === undefined) {
    byDefaults = new Map()
    mappings.set(mapping, byDefaults)
  }
  const known = byDefaults.get(defaults.key)
  if (known !== undefined) return known
  const { properties, enabled, subobjects, disable_objects } = mapping
  const root = compileObject(
    {
      ...(properties === undefined ? {} : { properties }),
      ...(enabled === false ? { enabled } : {}),
      subobjects,
      disable_objects,
    },
    '',
    mapping.dynamic ?? 'true',
    defaults,
  )
  const leaves: LeafNode[] = []
  collect(root, leaves)
  const constantLeaves = leaves.filter((leaf) => leaf.type.name === 'constant_keyword')
  const constants = constantLeaves.flatMap((leaf) => {
    const value = leaf.field.parameters['value']
    return typeof value === 'string' ? [{ leaf, value }] : []
  })
  const compiled = {
    root,
    fields: withRuntimeFields(resolveFields(leaves), mapping, settings),
    constants,
    awaitsConstants: constants.length < constantLeaves.length,
  }
  byDefaults.set(defaults.key, compiled)
  return compiled
}
