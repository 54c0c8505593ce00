import { AppError, searchErrors } from '@logstack/errors'
import { boundedRegExp, fitsStars, RefusedPattern } from '@logstack/rules'
import { z } from 'zod'
import type { FieldMapping, Mapping } from '../model/mapping.ts'
import { watchPattern } from '../patterns/pattern-watch.ts'
import { shownPattern } from '../patterns/shown-pattern.ts'

/** What a JSON value looks like to dynamic mapping. */
export type DetectedType = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'object' | 'binary'

const detectedTypes = ['object', 'string', 'long', 'double', 'boolean', 'date', 'binary'] as const
const texts = z.union([z.string().transform((text) => [text]), z.array(z.string())])

const templateSchema = z.strictObject({
  match: texts.optional(),
  unmatch: texts.optional(),
  path_match: texts.optional(),
  path_unmatch: texts.optional(),
  match_pattern: z.enum(['simple', 'regex']).optional(),
  match_mapping_type: texts.optional(),
  unmatch_mapping_type: texts.optional(),
  mapping: z.record(z.string(), z.unknown()).optional(),
  runtime: z.record(z.string(), z.unknown()).optional(),
})

type Template = z.infer<typeof templateSchema>

function refuse(reason: string): AppError {
  return new AppError(searchErrors.mapper_parsing_exception, reason)
}

function parseTemplate(entry: unknown): { name: string; template: Template } {
  const pair = typeof entry === 'object' && entry !== null ? Object.entries(entry) : []
  const [name, body] = pair[0] ?? []
  if (pair.length !== 1 || name === undefined) throw refuse('A dynamic template must be defined with a name')
  const parsed = templateSchema.safeParse(body)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const what =
      issue?.code === 'unrecognized_keys'
        ? `unknown parameter [${issue.keys[0]}]`
        : `[${issue?.path.join('.')}] ${issue?.message}`
    throw refuse(`Failed to parse dynamic template [${name}]: ${what}`)
  }
  const template = parsed.data
  for (const type of [...(template.match_mapping_type ?? []), ...(template.unmatch_mapping_type ?? [])])
    if (type !== '*' && !(detectedTypes as readonly string[]).includes(type))
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `No field type matched on [${type}], possible values are [${detectedTypes.join(', ')}]`,
      )
  if (template.mapping === undefined && template.runtime === undefined)
    throw refuse(`template [${name}] must have either mapping or runtime set`)
  return { name, template }
}

/** Checks the `dynamic_templates` of a mapping and returns them as written. Throws `mapper_parsing_exception`. */
export function checkDynamicTemplates(templates: readonly unknown[]): readonly unknown[] {
  for (const entry of templates) compile(parseTemplate(entry))
  return templates
}

type Matcher = (text: string) => boolean

function matcher(patterns: readonly string[] | undefined, regex: boolean): Matcher | undefined {
  if (patterns === undefined) return undefined
  const tests = patterns.map((pattern): Matcher => {
    if (!regex) return (text) => fitsStars(text, pattern)
    const expression = expressionOf(pattern)
    const watch = watchPattern(expression)
    return (text) => watch(text, () => expression.test(text))
  })
  return (text) => tests.some((test) => test(text))
}

function expressionOf(pattern: string): RegExp {
  try {
    return boundedRegExp(`^(?:${pattern})$`, 's')
  } catch (thrown) {
    if (thrown instanceof RefusedPattern)
      throw refuse(`Pattern [${shownPattern(pattern)}] of type [regex] is invalid. Cannot create dynamic template.`)
    throw thrown
  }
}

interface CompiledTemplate {
  readonly mapping: Readonly<Record<string, unknown>>
  /** Whether it makes runtime fields. */
  readonly isRuntime: boolean
  matches(path: string, name: string, type: DetectedType): boolean
}

function compile({ template }: { template: Template }): CompiledTemplate {
  const regex = template.match_pattern === 'regex'
  const [match, unmatch] = [matcher(template.match, regex), matcher(template.unmatch, regex)]
  const [pathMatch, pathUnmatch] = [matcher(template.path_match, regex), matcher(template.path_unmatch, regex)]
  const accepts = (types: readonly string[] | undefined, type: string): boolean =>
    types?.some((one) => one === '*' || one === type) ?? false
  return {
    mapping: template.runtime ?? template.mapping ?? {},
    isRuntime: template.runtime !== undefined,
    matches(path, name, type) {
      if (template.match_mapping_type !== undefined && !accepts(template.match_mapping_type, type)) return false
      if (accepts(template.unmatch_mapping_type, type)) return false
      if (match?.(name) === false || unmatch?.(name) === true) return false
      return pathMatch?.(path) !== false && pathUnmatch?.(path) !== true
    },
  }
}

const compiled = new WeakMap<readonly unknown[], readonly CompiledTemplate[]>()

function templatesOf(mapping: Mapping): readonly CompiledTemplate[] {
  const entries = mapping.dynamic_templates
  if (entries === undefined) return []
  const known = compiled.get(entries)
  if (known !== undefined) return known
  const made = entries.map((entry) => compile(parseTemplate(entry)))
  compiled.set(entries, made)
  return made
}

const defaultTypes: Readonly<Record<DetectedType, string>> = {
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  object: 'object',
  binary: 'binary',
}

/** What a value is taken for where it becomes a runtime field; an object is none. */
export const runtimeTypes: Readonly<Record<DetectedType, string | undefined>> = {
  string: 'keyword',
  long: 'long',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  binary: 'keyword',
  object: undefined,
}

function fill(value: unknown, name: string, type: string): unknown {
  if (typeof value === 'string')
    return value.replaceAll('{name}', name).replaceAll('{dynamic_type}', type).replaceAll('{dynamicType}', type)
  if (Array.isArray(value)) return value.map((inner) => fill(inner, name, type))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [fill(key, name, type), fill(inner, name, type)]),
  )
}

/** The mapping that the first matching template gives to a new field, still to be checked; `runtime` when that is a runtime field. Undefined when none matches. */
export function fromDynamicTemplate(
  mapping: Mapping,
  path: string,
  name: string,
  type: DetectedType,
): { readonly definition: FieldMapping; readonly runtime: boolean } | undefined {
  const found = templatesOf(mapping).find((template) => template.matches(path, name, type))
  if (found === undefined) return undefined
  const { isRuntime: runtime } = found
  const otherwise = (runtime ? runtimeTypes[type] : undefined) ?? defaultTypes[type]
  const filled = fill(found.mapping, name, otherwise) as FieldMapping
  const isTyped = filled.type !== undefined || filled.properties !== undefined
  return { definition: isTyped ? filled : { type: otherwise, ...filled }, runtime }
}
