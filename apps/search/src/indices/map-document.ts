import type { ValueType } from '@logstack/rules'
import type { IndexSettings } from '../model/index-meta.ts'
import type { Mapping, ResolvedField } from '../model/mapping.ts'
import type { DocumentOrigin, FieldValue, MappedDocument } from './catalogue.ts'
import { compileMapping } from './compiled-mapping.ts'
import { DocumentReader, type Source } from './document-reader.ts'
import { type Addition, extendMapping } from './dynamic-mapping.ts'
import { checkAnalyzers } from './field-words.ts'
import { checkMappingLimits, type MappingLimits, mappingLimits, totalFields } from './mapping-merge.ts'
import { markChecked } from './mapping-parse.ts'

function isSearchable(field: ResolvedField): field is ResolvedField & { readonly valueType: ValueType } {
  return field.valueType !== undefined
}

function timeOf(values: readonly FieldValue[]): number | undefined {
  for (const { field, values: found } of values) {
    if (field.path !== '@timestamp') continue
    const first = found[0]
    if (field.valueType === 'date') return Number(first)
    if (field.valueType === 'date_nanos' && typeof first === 'bigint') return Number(first / 1_000_000n)
  }
  return undefined
}

/** A field whose mapping the document itself completes: the constant of a `constant_keyword` that had none. */
function constantsFound(reader: DocumentReader): Addition[] {
  const additions: Addition[] = []
  for (const [leaf, values] of reader.found)
    if (leaf.type.name === 'constant_keyword' && leaf.field.parameters['value'] === undefined)
      additions.push({ steps: leaf.field.path.split('.'), definition: { type: leaf.type.name, value: values[0] } })
  return additions
}

function withConstants(mapping: Mapping, constants: readonly Addition[]): Mapping {
  const set = (properties: Mapping['properties'], steps: readonly string[], value: unknown): Mapping['properties'] => {
    const [name = '', ...rest] = steps
    const field = properties?.[name]
    if (field === undefined) return properties
    if (rest.length === 0) return { ...properties, [name]: { ...field, value } }
    const inner = set(field.properties, rest, value)
    return { ...properties, [name]: { ...field, ...(inner === undefined ? {} : { properties: inner }) } }
  }
  let properties = mapping.properties
  for (const { steps, definition } of constants) properties = set(properties, steps, definition['value'])
  return { ...mapping, ...(properties === undefined ? {} : { properties }) }
}

function widen(
  mapping: Mapping,
  additions: readonly Addition[],
  limits: MappingLimits,
  settings: IndexSettings,
): Mapping | 'full' {
  for (const { steps, definition, runtime } of additions)
    if (runtime !== true) checkAnalyzers({ properties: { [steps.at(-1) ?? '']: definition } }, settings)
  const wider = extendMapping(mapping, additions)
  if (limits.ignoreDynamicBeyondLimit && totalFields(wider) > limits.fieldsMax) return 'full'
  checkMappingLimits(wider, limits, totalFields(wider) - totalFields(mapping))
  return wider
}

/**
 * Reads one source against a mapping: values by field, what was ignored, and the wider mapping when the document brought new fields. Throws
 * `document_parsing_exception` (with the cause), `strict_dynamic_mapping_exception`, and `illegal_argument_exception` beyond the limits.
 * Array elements keep their order; values of one field in several objects are one list.
 */
export function mapDocument(
  mapping: Mapping,
  settings: IndexSettings,
  source: Source,
  origin: DocumentOrigin = {},
): MappedDocument {
  const limits = mappingLimits(settings)
  let current = mapping
  let mayAdd = true
  for (;;) {
    const compiled = compileMapping(current, settings)
    const reader = new DocumentReader(current, compiled, origin, mayAdd, limits)
    reader.read(source)
    if (reader.additions.length > 0) {
      const wider = widen(current, reader.additions, limits, settings)
      if (wider === 'full') mayAdd = false
      else current = wider
      continue
    }
    const constants = compiled.awaitsConstants ? constantsFound(reader) : []
    if (constants.length > 0) {
      current = withConstants(current, constants)
      continue
    }
    const values: FieldValue[] = []
    for (const [leaf, found] of reader.found)
      if (isSearchable(leaf.field)) values.push({ field: leaf.field, values: found })
    return {
      timeMs: timeOf(values),
      values,
      ignored: [...reader.ignored],
      mapping: current === mapping ? undefined : markChecked(current),
    }
  }
}
