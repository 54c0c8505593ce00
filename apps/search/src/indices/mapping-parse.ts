import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { setOwn } from '../json/own-member.ts'
import type { ComputedField, Dynamic, FieldMapping, Mapping } from '../model/mapping.ts'
import { compileFieldScript, contextOf } from '../painless/field-script.ts'
import { scalarText } from '../values/scalar-text.ts'
import { resolveDerivedFields } from './derived-fields.ts'
import { checkDynamicTemplates } from './dynamic-templates.ts'
import { findFieldType } from './field-types/index.ts'
import { flag } from './field-types/parameters.ts'
import { resolveRuntimeFields } from './runtime-fields.ts'
import { dottedProperties, holdsNoObjects, subobjectParameters } from './subobjects.ts'

type Json = Readonly<Record<string, unknown>>
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Parameters of an object in a mapping, beyond `properties`; `nested` takes two more. */
const objectParameters = new Set(['type', 'properties', 'dynamic', 'enabled', ...subobjectParameters])
const nestedParameters = new Set(['include_in_parent', 'include_in_root'])

function refuse(reason: string, cause?: unknown): AppError {
  return new AppError(searchErrors.mapper_parsing_exception, reason, cause === undefined ? {} : { cause })
}

const faults = new WeakSet<object>()

/** A fault of a mapping that is none of its parser's own: told as it is, below the words of the parser. */
function fault(error: AppError): AppError {
  faults.add(error)
  return error
}

function illegal(reason: string, cause?: AppError): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason, cause === undefined ? {} : { cause })
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseFlag(value: unknown): boolean {
  const parsed = flag.safeParse(value)
  if (!parsed.success)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`,
    )
  return parsed.data
}

const dynamics = ['true', 'false', 'strict', 'runtime', 'false_allow_templates', 'strict_allow_templates'] as const

function parseDynamic(value: unknown): Dynamic {
  const text = String(value)
  const found = dynamics.find((each) => each === text)
  if (found !== undefined) return found
  const cause = illegal(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
  throw fault(illegal('Could not convert [dynamic.dynamic] to boolean', cause))
}

/** A field name or path as Elasticsearch checks it; throws `illegal_argument_exception`. */
function checkFieldName(name: string): void {
  if (name === '') throw new AppError(searchErrors.illegal_argument_exception, 'field name cannot be an empty string')
  if (!name.includes('.') && name.trim() !== '') return
  if (name.trim() === '' || name.split('.').some((step) => step !== '' && step.trim() === ''))
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `field name cannot contain only whitespace: ['${name}']`,
    )
  if (name.split('.').includes(''))
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `field name starting or ending with a [.] makes object resolution ambiguous: [${name}]`,
    )
}

function parseProperties(value: unknown, path: string, dotted: boolean): Readonly<Record<string, FieldMapping>> {
  if (!isObject(value)) {
    if (value === null || (Array.isArray(value) && value.length === 0)) return {}
    throw refuse(`Expected map for property [properties] on field [${path}] but got a value of another kind`)
  }
  const properties: Record<string, FieldMapping> = {}
  for (const [name, definition] of Object.entries(value)) {
    checkFieldName(name)
    const steps = dotted ? [name] : name.split('.')
    const leaf = steps.pop() ?? name
    let level = properties
    for (const step of steps) {
      const parent: FieldMapping = Object.hasOwn(level, step) ? (level[step] ?? {}) : {}
      const children: Record<string, FieldMapping> = { ...parent.properties }
      setOwn(level, step, { ...parent, properties: children })
      level = children
    }
    setOwn(level, leaf, parseField(definition, leaf, path === '' ? name : `${path}.${name}`))
  }
  return dotted ? dottedProperties(properties, path) : properties
}

function parseField(definition: unknown, name: string, path: string): FieldMapping {
  if (!isObject(definition))
    throw refuse(`Expected map for property [fields] on field [${name}] but got a value of another kind`)
  const type = definition['type']
  if (type !== undefined && typeof type !== 'string') throw refuse(`No type specified for field [${name}]`)
  if (type === undefined || type === 'object' || type === 'nested') {
    const hasShape = ['properties', 'dynamic', 'enabled', ...subobjectParameters].some(
      (key) => definition[key] !== undefined,
    )
    if (type === undefined && !hasShape) throw refuse(`No type specified for field [${name}]`)
    return parseObject(definition, type, name, path)
  }
  return parseLeaf(definition, type, name, path)
}

function parseObject(definition: Json, type: string | undefined, name: string, path: string): FieldMapping {
  const unknown = Object.entries(definition).filter(
    ([key]) => !objectParameters.has(key) && !(type === 'nested' && nestedParameters.has(key)),
  )
  if (unknown.length > 0) {
    const shown = unknown.map(([key, value]) => ` [${key} : ${showJava(value)}]`).join('')
    throw refuse(`Mapping definition for [${name}] has unsupported parameters: ${shown}`)
  }
  const parsed: Record<string, unknown> = {}
  if (type === 'nested') parsed['type'] = type
  for (const key of ['enabled', ...subobjectParameters, ...nestedParameters])
    if (definition[key] !== undefined) parsed[key] = parseFlag(definition[key])
  if (definition['dynamic'] !== undefined) parsed['dynamic'] = parseDynamic(definition['dynamic'])
  const properties = definition['properties']
  // An object that says nothing else is shown with its type, as Elasticsearch shows it.
  if (properties !== undefined) parsed['properties'] = parseProperties(properties, path, holdsNoObjects(parsed))
  else if (Object.keys(parsed).length === 0 || type === 'object') parsed['type'] = type ?? 'object'
  return parsed
}

/** A value in the `toString` form of Java, which Elasticsearch's texts quote: `{a=1, b=[2, 3]}`. */
export function showJava(value: unknown, depthMax = 20): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (depthMax === 0) return '…'
  if (Array.isArray(value)) return `[${value.map((inner) => showJava(inner, depthMax - 1)).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}=${showJava(inner, depthMax - 1)}`)
    .join(', ')}}`
}

function parseLeaf(definition: Json, type: string, name: string, path: string): FieldMapping {
  const fieldType = findFieldType(type)
  if (fieldType === undefined || fieldType.isInner)
    throw refuse(
      `The mapper type [${type}] declared on field [${name}] does not exist. It might have been created within a future version or requires a plugin to be installed. Check the documentation.`,
    )
  const { type: _, fields, ...parameters } = definition
  const parsed = parseParameters(fieldType.parameters, parameters, type, name)
  const multi = fields === undefined || fields === null ? {} : parseMultiFields(fields, name, path)
  const contradiction = fieldType.contradiction?.(parsed, name)
  if (contradiction !== undefined) throw fault(illegal(contradiction))
  if (fieldType.ofDocument && path.includes('.'))
    throw refuse(`join field [${path}] cannot be added inside an object or in a multi-field`)
  const field: FieldMapping = { type, ...parsed, ...(Object.keys(multi).length === 0 ? {} : { fields: multi }) }
  checkNullValue(field, path)
  return field
}

function parseParameters(schema: import('zod').ZodType, parameters: Json, type: string, name: string): Json {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))
  try {
    const result = schema.safeParse(given)
    if (result.success) return result.data as Json
    const issue = result.error.issues[0]
    if (issue?.code === 'unrecognized_keys')
      throw refuse(`unknown parameter [${issue.keys[0]}] on mapper [${name}] of type [${type}]`)
    const parameter = String(issue?.path[0] ?? '')
    const told = parameterFault(type, name, parameter, given[parameter])
    if (told) throw told
    if (parameter === 'scaling_factor' && given[parameter] === undefined)
      throw refuse('Field [scaling_factor] is required')
    throw refuse(
      `Failed to parse value [${showJava(given[parameter])}] of parameter [${parameter}] on mapper [${name}] of type [${type}]: ${issue?.message}`,
    )
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.code === 'mapper_parsing_exception' || faults.has(thrown)) throw thrown
    if (given['format'] === undefined || !thrown.message.startsWith('Invalid format'))
      throw refuse(thrown.message, thrown)
    throw fault(illegal(`Error parsing [format] on field [${name}]: ${thrown.message}`, thrown))
  }
}

/** What is said of a parameter with a wrong value that has words of its own. */
function parameterFault(type: string, name: string, parameter: string, given: unknown): AppError | undefined {
  if (type === 'alias' && parameter === 'path' && given === undefined)
    return refuse(`The [path] property must be specified for field [${name}].`)
  if (parameter === 'ignore_above' && Number(given) < 0)
    return fault(illegal(`[ignore_above] must be positive, got [${String(given)}]`))
  if (parameter === 'null_value' && typeof given === 'string')
    return fault(new AppError(searchErrors.number_format_exception, `For input string: "${given}"`))
  return undefined
}

function parseMultiFields(fields: unknown, name: string, path: string): Record<string, FieldMapping> {
  if (!isObject(fields))
    throw refuse(`expected map for property [fields] on field [${name}] but got a value of another kind`)
  const parsed: Record<string, FieldMapping> = {}
  for (const [sub, definition] of Object.entries(fields)) {
    checkFieldName(sub)
    if (sub.includes('.')) throw refuse(`Field name [${sub}] which is a multi field of [${name}] cannot contain '.'`)
    if (!isObject(definition) || typeof definition['type'] !== 'string')
      throw refuse(`No type specified for field [${sub}]`)
    if (definition['type'] === 'object' || definition['type'] === 'nested' || definition['type'] === 'alias')
      throw refuse(`Type [${definition['type']}] cannot be used in multi field`)
    if (definition['copy_to'] !== undefined)
      throw refuse(
        `copy_to in multi fields is not allowed. Found the copy_to in field [${sub}] which is within a multi field.`,
      )
    setOwn(parsed, sub, parseField(definition, sub, `${path}.${sub}`))
  }
  return parsed
}

function checkNullValue(field: FieldMapping, path: string): void {
  const value = field['null_value']
  if (value === undefined || value === null || field.type === undefined) return
  const type = findFieldType(field.type)
  if (type === undefined || type.valueType === undefined) return
  const parameters = { ...field, null_value: undefined, ignore_malformed: false }
  try {
    type.parse(value, { path, sourcePath: path, wireType: type.name, valueType: type.valueType, parameters })
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw refuse(`Error parsing [null_value] on field [${path}]: ${thrown.message}`, thrown)
  }
}

/** Root parameters that are kept as written: either they change nothing here, or no value of theirs can be wrong. */
const keptRootParameters = new Set(['_meta', '_routing', '_size', '_field_names', '_data_stream_timestamp'])

/**
 * Sources are kept whole: scripts, `docvalue_fields` and columns that come later read them, and would not find in a filtered one what
 * Elasticsearch still finds in its doc values. Lists that filter nothing are taken.
 */
function refuseFilter(source: Json): void {
  const listOf = (value: unknown) => (value === undefined || value === null ? [] : [value].flat())
  const isWhole = listOf(source['includes']).every((pattern) => pattern === '*')
  const filter = isWhole ? (listOf(source['excludes']).length === 0 ? undefined : 'excludes') : 'includes'
  if (filter === undefined) return
  throw refuse(
    `the parameter [${filter}] of [_source] is not supported, sources are kept whole: take fields away in a pipeline, or leave them out of answers by the [_source] of a search`,
  )
}

const sourceParameters = new Set(['compress', 'compress_threshold', 'enabled', 'excludes', 'includes', 'mode'])

function parseSourceParameter(value: unknown): unknown {
  if (!isObject(value)) throw refuse('[_source] must be an object')
  const unknown = Object.keys(value).find((name) => !sourceParameters.has(name))
  if (unknown !== undefined) throw refuse(`unknown parameter [${unknown}] on metadata field [_source]`)
  refuseFilter(value)
  const { mode } = value
  if (mode !== undefined && mode !== 'stored' && mode !== 'synthetic')
    throw refuse(`Unknown value [${String(mode)}] for field [mode] - accepted values are [stored, synthetic]`)
  return value['enabled'] === undefined ? value : { ...value, enabled: parseFlag(value['enabled']) }
}

/** The runtime fields of a mapping as written; null takes one away. */
function parseRuntime(value: unknown): unknown {
  if (!isObject(value)) throw refuse('[runtime] must be an object of runtime fields')
  const fields = resolveRuntimeFields(Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)))
  for (const { computed } of fields.values()) checkScript(computed)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withWholeScript(field)]))
}

/** A runtime field as mappings show it: its script with its language. */
function withWholeScript(field: unknown): unknown {
  if (!isObject(field) || field['script'] === undefined) return field
  const { script } = field
  const whole = isObject(script) ? script : { source: script }
  return { ...field, script: whole['id'] === undefined ? { lang: 'painless', ...whole } : whole }
}

/** A mapping keeps no script that could never run. Stored ones may still come and go. */
function checkScript(computed: ComputedField | undefined): void {
  const script = computed?.script
  if (!computed || script === undefined || (isObject(script) && script['id'] !== undefined)) return
  compileFieldScript(script, undefined, contextOf(computed))
}

/** The derived fields of a mapping as written; null takes one away. */
function parseDerived(value: unknown): unknown {
  if (!isObject(value)) throw refuse('[derived] must be an object of derived fields')
  const fields = resolveDerivedFields(Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)))
  for (const { computed } of fields.values()) checkScript(computed)
  return value
}

function parseRootParameter(name: string, value: unknown, root: Json): unknown {
  if (keptRootParameters.has(name)) return value
  switch (name) {
    case 'properties':
      return parseProperties(value, '', holdsNoObjects(root))
    case 'dynamic':
      return parseDynamic(value)
    case 'date_detection':
    case 'numeric_detection':
    case 'enabled':
    case 'subobjects':
    case 'disable_objects':
      return parseFlag(value)
    case 'dynamic_date_formats':
    case 'dynamic_templates':
      if (!Array.isArray(value) && name === 'dynamic_templates')
        throw refuse('Dynamic template syntax error. An array of named objects is expected.')
      if (!Array.isArray(value)) throw refuse(`[${name}] must be an array`)
      return name === 'dynamic_templates' ? checkedTemplates(value) : value.map(scalarText)
    case '_source':
      return parseSourceParameter(value)
    case 'runtime':
      return parseRuntime(value)
    case 'derived':
      return parseDerived(value)
    default:
      return undefined
  }
}

function checkedTemplates(value: readonly unknown[]): readonly unknown[] {
  try {
    return checkDynamicTemplates(value)
  } catch (thrown) {
    throw isAppError(thrown) && thrown.code === 'illegal_argument_exception' ? fault(thrown) : thrown
  }
}

function parseRoot(given: Json): Mapping {
  const parsed: Record<string, unknown> = {}
  const unknown: string[] = []
  for (const [name, value] of Object.entries(given)) {
    const result = parseRootParameter(name, value, given)
    if (result === undefined) unknown.push(` [${name} : ${showJava(value)}]`)
    else parsed[name] = result
  }
  if (unknown.length > 0) throw refuse(`Root mapping definition has unsupported parameters: ${unknown.join('')}`)
  return parsed as Mutable<Mapping>
}

/** Mappings that were checked here or made from such: large ones are not checked again for every field a document adds. */
const checkedMappings = new WeakSet<Mapping>()

/** Notes that a mapping was made from checked parts. */
export function markChecked(mapping: Mapping): Mapping {
  checkedMappings.add(mapping)
  return mapping
}

/**
 * Checks a mapping as a user wrote it and returns it as Elasticsearch would show it: dotted names nested, booleans and numbers in their
 * types. Throws `mapper_parsing_exception` (`Failed to parse mapping: …`) and `illegal_argument_exception`.
 */
export function parseMapping(given: unknown): Mapping {
  if (given === undefined || given === null) return {}
  if (!isObject(given)) throw refuse('Failed to parse mapping: a mapping must be an object')
  if (checkedMappings.has(given)) return given
  if (isObject(given['_doc']) && Object.keys(given).length === 1)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    )
  try {
    return markChecked(parseRoot(given))
  } catch (thrown) {
    if (isAppError(thrown) && (thrown.code === 'mapper_parsing_exception' || faults.has(thrown)))
      throw refuse(`Failed to parse mapping: ${thrown.message}`, thrown)
    throw thrown
  }
}
