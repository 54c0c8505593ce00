import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { dateFormat } from '../dates/date-format.ts'
import type { IndexSettings } from '../model/index-meta.ts'
import type { ResolvedField } from '../model/mapping.ts'
import { fieldTypeOf } from './field-types/index.ts'
import { fieldWords } from './field-words.ts'

/** Types of derived fields, and of the properties of derived objects. */
const derivedTypes = ['boolean', 'date', 'double', 'float', 'geo_point', 'ip', 'keyword', 'long', 'text']
const parameters = z.strictObject({
  type: z.string(),
  script: z.union([z.string(), z.record(z.string(), z.unknown())]),
  properties: z.record(z.string(), z.string()).optional(),
  // What OpenSearch looks at before it runs the script; what is found is the same without it.
  prefilter_field: z.string().optional(),
  format: z.string().optional(),
  ignore_malformed: z.boolean().optional(),
})
type DerivedField = z.infer<typeof parameters>

/**
 * The fields that a mapping's or request's `derived` stands for, by path: OpenSearch's runtime fields, which besides have the types `text`, `float`
 * and `object`, whose script emits JSON. Throws `illegal_argument_exception` for wrong ones.
 */
export function resolveDerivedFields(given: unknown, settings: IndexSettings = {}): ReadonlyMap<string, ResolvedField> {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw refused('derived fields must be an object of their names')
  const words = fieldWords({}, settings)
  const fields = Object.entries(given).flatMap(([name, definition]) => fieldsOf(name, readOne(name, definition)))
  return new Map(
    fields.map((field) => [field.path, field.wireType === 'text' && words !== undefined ? { ...field, words } : field]),
  )
}

/** A derived field of the type `object`: what its script emits is JSON, and only `properties` have types of their own. */
export type DerivedObject = DerivedField & { readonly name: string }

/** The objects among checked derived fields; an empty list without any. */
export function derivedObjects(given: unknown): readonly DerivedObject[] {
  if (typeof given !== 'object' || given === null) return []
  const fields = Object.entries(given).filter(([, definition]) => definition !== null)
  return fields
    .map(([name, definition]) => ({ name, ...readOne(name, definition) }))
    .filter(({ type }) => type === 'object')
}

/** A field that a derived object's script gives: all it emits as a text, or what stands at a path of it. Types that derived fields cannot have become keywords. */
export function derivedField(object: DerivedObject, path: string, type: string, property?: string): ResolvedField {
  return resolved(path, derivedTypes.includes(type) ? type : 'keyword', object, property)
}

function refused(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause ? { cause } : {})
}

function readOne(name: string, definition: unknown): DerivedField {
  const read = parameters.safeParse(definition)
  if (read.success) {
    check(name, read.data)
    return read.data
  }
  const [issue] = read.error.issues
  if (issue?.code === 'unrecognized_keys')
    throw refused(`unknown parameter [${issue.keys[0]}] on derived field [${name}]`)
  if (issue?.path[0] === 'type') throw refused(`No type specified for derived field [${name}]`)
  if (issue?.path[0] === 'script') throw refused(`No script specified for derived field [${name}]`)
  throw refused(`Failed to parse derived field [${name}]: ${issue?.message ?? 'malformed'}`)
}

function check(name: string, { type, properties, format }: DerivedField): void {
  if (type !== 'object' && properties !== undefined)
    throw refused(`unknown parameter [properties] on derived field [${name}] of type [${type}]`)
  const types = type === 'object' ? Object.values(properties ?? {}) : [type]
  const unknown = types.find((each) => !derivedTypes.includes(each))
  if (unknown !== undefined)
    throw refused(
      `The type [${unknown}] of derived field [${name}] is not supported. The types are [${[...derivedTypes, 'object'].join(', ')}].`,
    )
  if (format === undefined) return
  if (!types.includes('date')) throw refused(`unknown parameter [format] on derived field [${name}] of type [${type}]`)
  try {
    dateFormat(format)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw refused(`Failed to parse derived field [${name}]: ${thrown.message}`, thrown)
  }
}

function fieldsOf(name: string, derived: DerivedField): ResolvedField[] {
  const { type, properties = {} } = derived
  if (type !== 'object') return [resolved(name, type, derived)]
  return Object.entries(properties).map(([property, propertyType]) => {
    const path = `${name}.${property}`
    return resolved(path, propertyType, derived, property)
  })
}

function resolved(
  path: string,
  wireType: string,
  { script, format, ignore_malformed: ignoreMalformed }: DerivedField,
  property?: string,
): ResolvedField {
  return {
    path,
    wireType,
    valueType: fieldTypeOf(wireType).valueType,
    parameters: {
      ...(format === undefined || wireType !== 'date' ? {} : { format }),
      ...(ignoreMalformed === undefined ? {} : { ignore_malformed: ignoreMalformed }),
    },
    sourcePath: path,
    computed: property === undefined ? { script, gives: 'emitted' } : { script, gives: 'emitted', property },
  }
}
