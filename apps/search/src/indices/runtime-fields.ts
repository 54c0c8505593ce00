import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { dateFormat } from './date-format.ts'
import { fieldTypeOf } from './field-types/index.ts'
import type { ResolvedField } from './model.ts'

/** Types of runtime fields, each computed as mapped fields of that type are kept. */
const runtimeTypes = new Set(['boolean', 'date', 'double', 'geo_point', 'ip', 'keyword', 'long'])
const parameters = z.strictObject({
  type: z.string(),
  script: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  format: z.string().optional(),
  locale: z.string().optional(),
  meta: z.record(z.string(), z.string()).optional(),
})

/** A runtime field as a mapping or request writes it. */
export type RuntimeField = z.infer<typeof parameters>

/** Reads the runtime fields of a mapping's `runtime` or a request's `runtime_mappings`. Throws `illegal_argument_exception` for wrong ones. */
export function readRuntimeFields(given: unknown): ReadonlyMap<string, RuntimeField> {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw refused('runtime fields must be an object of their names')
  return new Map(Object.entries(given).map(([name, definition]) => [name, readOne(name, definition)]))
}

function refused(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause ? { cause } : {})
}

function readOne(name: string, definition: unknown): RuntimeField {
  const read = parameters.safeParse(definition)
  if (!read.success) {
    const [issue] = read.error.issues
    if (issue?.code === 'unrecognized_keys')
      throw refused(`unknown parameter [${issue.keys[0]}] on runtime field [${name}]`)
    if (issue?.path[0] === 'type') throw refused(`No type specified for runtime field [${name}]`)
    throw refused(`Failed to parse runtime field [${name}]: ${issue?.message ?? 'malformed'}`)
  }
  const { type, format } = read.data
  if (!runtimeTypes.has(type))
    throw refused(
      `The mapper type [${type}] declared on runtime field [${name}] does not exist or is not supported. The types of runtime fields are [${[...runtimeTypes].join(', ')}].`,
    )
  if (format !== undefined) checkFormat(name, type, format)
  return read.data
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
export function resolveRuntimeField(path: string, { type, script, format }: RuntimeField): ResolvedField {
  return {
    path,
    wireType: type,
    valueType: fieldTypeOf(type).valueType,
    parameters: format === undefined ? {} : { format },
    sourcePath: path,
    computed: { script, gives: 'emitted' },
  }
}
