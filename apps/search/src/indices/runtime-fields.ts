import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { dateFormat } from '../dates/date-format.ts'
import { isObject } from '../json/json-object.ts'
import type { ComputedField, ResolvedField } from '../model/mapping.ts'
import { fieldTypeOf } from './field-types/index.ts'

/** Types of runtime fields, each computed as mapped fields of that type are kept. */
const runtimeTypes = new Set(['boolean', 'date', 'double', 'geo_point', 'ip', 'keyword', 'long'])
const script = z.union([z.string(), z.record(z.string(), z.unknown())])
const onScriptError = z.enum(['fail', 'continue']).optional()
const parameters = z.strictObject({
  type: z.string(),
  script: script.optional(),
  on_script_error: onScriptError,
  format: z.string().optional(),
  locale: z.string().optional(),
  meta: z.record(z.string(), z.string()).optional(),
})
const compositeParameters = z.strictObject({
  type: z.literal('composite'),
  script: script.optional(),
  on_script_error: onScriptError,
  // Taken as it is: a copy would lose a field that is called `__proto__`.
  fields: z.custom<Readonly<Record<string, unknown>>>(isObject, '[fields] must be an object of their names').optional(),
  meta: z.record(z.string(), z.string()).optional(),
})
type RuntimeField = z.infer<typeof parameters>

/**
 * The fields that a mapping's `runtime` or a request's `runtime_mappings` stands for, by path: of a `composite` those it names, under its own name.
 * Throws `illegal_argument_exception` for wrong ones.
 */
export function resolveRuntimeFields(given: unknown): ReadonlyMap<string, ResolvedField> {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw refused('runtime fields must be an object of their names')
  const fields = new Map<string, ResolvedField>()
  for (const [name, definition] of Object.entries(given))
    for (const field of fieldsOf(name, definition)) {
      if (fields.has(field.path)) throw refused(`Found two runtime fields with same name [${field.path}]`)
      fields.set(field.path, field)
    }
  return fields
}

/** A runtime field as a mapping writes it, with only those fields of a composite whose paths are `kept`; undefined when nothing is left of it. */
export function keptRuntimeField(name: string, definition: unknown, kept: (path: string) => boolean): unknown {
  const { type, fields }: { readonly type?: unknown; readonly fields?: object } = Object(definition)
  if (type !== 'composite') return kept(name) ? definition : undefined
  const left = Object.entries(fields ?? {}).filter(([inner]) => kept(`${name}.${inner}`))
  return left.length === 0 ? undefined : { ...Object(definition), fields: Object.fromEntries(left) }
}

function refused(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause ? { cause } : {})
}

function fieldsOf(name: string, definition: unknown): ResolvedField[] {
  if (Object(definition).type === 'composite') return compositeFields(name, definition)
  const field = read(name, definition, parameters)
  return [resolved(name, field, { script: field.script, gives: 'emitted', ...faults(field) })]
}

function faults({ on_script_error: then }: Pick<RuntimeField, 'on_script_error'>): Pick<ComputedField, 'bearsFaults'> {
  return then === 'continue' ? { bearsFaults: true } : {}
}

function compositeFields(name: string, definition: unknown): ResolvedField[] {
  const composite = read(name, definition, compositeParameters)
  const { script, fields = {} } = composite
  if (script === undefined) throw refused(`composite runtime field [${name}] must declare a [script]`)
  const entries = Object.entries(fields)
  if (entries.length === 0) throw refused(`composite runtime field [${name}] must declare its [fields]`)
  return entries.map(([inner, definition]) => {
    if (Object(definition).type === 'composite')
      throw refused(`Composite field [${inner}] cannot be a child of composite field [${name}]`)
    const field = read(inner, definition, parameters)
    if (field.script !== undefined)
      throw refused(`Cannot use [script] parameter on sub-field [${inner}] of composite field [${name}]`)
    return resolved(`${name}.${inner}`, field, { script, gives: 'named', property: inner, ...faults(composite) })
  })
}

function read<T>(name: string, definition: unknown, schema: z.ZodType<T>): T {
  const found = schema.safeParse(definition)
  if (found.success) return found.data
  const [issue] = found.error.issues
  if (issue?.code === 'unrecognized_keys')
    throw refused(
      `unknown parameter [${issue.keys[0]}] on runtime field [${name}] of type [${Object(definition).type}]`,
    )
  if (issue?.path[0] === 'on_script_error')
    throw refused(
      `Unknown value [${Object(definition).on_script_error}] for field [on_script_error] - accepted values are [fail, continue]`,
    )
  if (issue?.path[0] === 'type') throw refused(`No type specified for runtime field [${name}]`)
  throw refused(`Failed to parse runtime field [${name}]: ${issue?.message ?? 'malformed'}`)
}

function checkFormat(name: string, type: string, format: string): void {
  if (type !== 'date') throw refused(`unknown parameter [format] on runtime field [${name}] of type [${type}]`)
  try {
    dateFormat(format)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw refused(`Failed to parse runtime field [${name}]: ${thrown.message}`, thrown)
  }
}

/** A runtime field as queries, sorts and aggregations see it. */
function resolved(path: string, { type, format, meta }: RuntimeField, computed: ComputedField): ResolvedField {
  if (!runtimeTypes.has(type))
    throw new AppError(
      searchErrors.mapper_parsing_exception,
      `The mapper type [${type}] declared on runtime field [${path}] does not exist. It might have been created within a future version or requires a plugin to be installed. Check the documentation.`,
    )
  if (format !== undefined) checkFormat(path, type, format)
  return {
    path,
    wireType: type,
    valueType: fieldTypeOf(type).valueType,
    parameters: { ...(format === undefined ? {} : { format }), ...(meta === undefined ? {} : { meta }) },
    sourcePath: path,
    computed,
  }
}
