import { dateFormat } from '../dates/date-format.ts'
import type { Dynamic, FieldMapping, Mapping } from '../model/mapping.ts'
import { type DetectedType, fromDynamicTemplate, runtimeTypes } from './dynamic-templates.ts'
import { parseMapping } from './mapping-parse.ts'

const defaultDateFormats = ['strict_date_optional_time', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'] as const
const keywordLengthMax = 256
const pureNumber = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** What a first value of a field was taken for; a date with the format that read it. */
interface Detection {
  readonly type: DetectedType
  readonly definition: FieldMapping
}

function detectText(text: string, mapping: Mapping): Detection {
  const numeric = pureNumber.test(text)
  if (numeric && mapping.numeric_detection === true)
    return /^[+-]?\d+$/.test(text)
      ? { type: 'long', definition: { type: 'long' } }
      : { type: 'double', definition: { type: 'float' } }
  // Pure numbers are refused as dates: too many of them would pass as years or epochs.
  if (!numeric && mapping.date_detection !== false && /^[+-]?\d/.test(text)) {
    const formats = mapping.dynamic_date_formats ?? defaultDateFormats
    const found = formats.find((format) => dateFormat(format).parse(text) !== undefined)
    if (found !== undefined) {
      const named = found === defaultDateFormats[0] && mapping.dynamic_date_formats === undefined
      return { type: 'date', definition: named ? { type: 'date' } : { type: 'date', format: found } }
    }
  }
  return {
    type: 'string',
    definition: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: keywordLengthMax } } },
  }
}

/** Whether a text is defined just as dynamic mapping does it, so that nothing says that it holds long texts. */
export function isDynamicText({ type, fields, ...parameters }: FieldMapping): boolean {
  if (type !== 'text' || fields === undefined || Object.keys(parameters).length > 0) return false
  const { keyword, ...others } = fields
  if (keyword?.type !== 'keyword' || Object.keys(others).length > 0) return false
  return Object.keys(keyword).length === 2 && keyword['ignore_above'] === keywordLengthMax
}

function detect(leaf: unknown, mapping: Mapping, isDecimal: () => boolean): Detection {
  if (typeof leaf === 'string') return detectText(leaf, mapping)
  if (typeof leaf === 'boolean') return { type: 'boolean', definition: { type: 'boolean' } }
  if (typeof leaf === 'object') return { type: 'object', definition: { type: 'object' } }
  // Also of a number beyond it, which the field then refuses.
  if (typeof leaf === 'bigint' || (Number.isInteger(leaf) && !isDecimal()))
    return { type: 'long', definition: { type: 'long' } }
  return { type: 'double', definition: { type: 'float' } }
}

/** Where a new field appeared. */
export interface NewField {
  readonly path: string
  readonly name: string
  /** A scalar that is not null, or an object. */
  readonly leaf: unknown
  /** Whether a whole number was written as a decimal (`1.0`). */
  readonly isDecimal: () => boolean
}

/** How a new field will be mapped: among the properties, or as a runtime field. */
export interface NewDefinition {
  readonly definition: FieldMapping
  readonly runtime: boolean
}

/**
 * The mapping that dynamic mapping gives to a new field: the first dynamic template that matches, else the default of what its value looks
 * like; `unnamed` when only templates may add fields and none names it, or when it would be an object among runtime fields.
 */
export function dynamicField(mapping: Mapping, field: NewField, dynamic: Dynamic): NewDefinition | 'unnamed' {
  const detected = detect(field.leaf, mapping, field.isDecimal)
  const { type, definition } = detected
  const template = fromDynamicTemplate(mapping, field.path, field.name, type)
  const format = type === 'date' && definition['format'] !== undefined ? { format: definition['format'] } : {}
  if (template === undefined) {
    if (dynamic.endsWith('_allow_templates')) return 'unnamed'
    if (dynamic !== 'runtime') return { definition, runtime: false }
    const runtimeType = runtimeTypes[type]
    return runtimeType === undefined ? 'unnamed' : { definition: { type: runtimeType, ...format }, runtime: true }
  }
  const whole = template.definition.type === 'date' ? { ...format, ...template.definition } : template.definition
  if (template.runtime) {
    const checked = Object(parseMapping({ runtime: { field: whole } }).runtime)['field']
    return { definition: checked, runtime: true }
  }
  const checked = parseMapping({ properties: { field: whole } }).properties?.['field']
  if (checked === undefined) throw new Error('BUG: a checked mapping lost its field')
  return { definition: checked, runtime: false }
}

/** A field to add, by the names on its way; objects on the way are made. */
export interface Addition {
  readonly steps: readonly string[]
  readonly definition: FieldMapping
  /** Whether it is a runtime field, which stands under its whole path. */
  readonly runtime?: boolean
}

type Properties = Readonly<Record<string, FieldMapping>>

function addTo(properties: Properties | undefined, additions: readonly Addition[], depth: number): Properties {
  const byName = new Map<string, Addition[]>()
  for (const addition of additions) {
    const name = addition.steps[depth] ?? ''
    const group = byName.get(name)
    if (group === undefined) byName.set(name, [addition])
    else group.push(addition)
  }
  const result = new Map(Object.entries(properties ?? {}))
  for (const [name, group] of byName) {
    const existing = result.get(name)
    const here = group.find((addition) => addition.steps.length === depth + 1)
    const below = group.filter((addition) => addition.steps.length > depth + 1)
    const base = existing ?? here?.definition ?? {}
    if (below.length === 0) result.set(name, base)
    else {
      // `type: object` is only shown of an object without fields.
      const { type, ...rest } = base
      const kept = type === 'nested' ? { type, ...rest } : rest
      result.set(name, { ...kept, properties: addTo(base.properties, below, depth + 1) })
    }
  }
  return Object.fromEntries(result)
}

/** A wider mapping with the fields added; parts that did not change stay the same objects. */
export function extendMapping(mapping: Mapping, additions: readonly Addition[]): Mapping {
  const computed = additions.filter(({ runtime }) => runtime === true)
  const mapped = additions.filter(({ runtime }) => runtime !== true)
  const properties = mapped.length === 0 ? mapping.properties : addTo(mapping.properties, mapped, 0)
  const whole = { ...mapping, ...(properties === undefined ? {} : { properties }) }
  if (computed.length === 0) return whole
  const added = computed.map(({ steps, definition }) => [steps.join('.'), definition] as const)
  return { ...whole, runtime: { ...mapping.runtime, ...Object.fromEntries(added) } }
}

/** Whether a definition is that of a field with values rather than of an object. */
export function isLeafDefinition({ type }: FieldMapping): boolean {
  return type !== undefined && type !== 'object' && type !== 'nested'
}
