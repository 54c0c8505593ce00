import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { illegalArgument } from '../../refusals/refuse.ts'

/** What of the terms is left: bounds of their counts and lengths, then so many of the most telling. */
export type TermFilter = Readonly<Partial<Record<(typeof filterKeys)[number], number>>>

/** What is asked about the terms of one document. */
export interface TermVectorRequest {
  readonly index: string | undefined
  readonly id: string | undefined
  /** A document that is not stored. */
  readonly doc: Readonly<Record<string, unknown>> | undefined
  readonly routing: unknown
  /** Name patterns; undefined: the fields whose mapping keeps term vectors, or all of an own document. */
  readonly fields: readonly string[] | undefined
  readonly positions: boolean
  readonly offsets: boolean
  readonly termStatistics: boolean
  readonly fieldStatistics: boolean
  readonly filter: TermFilter | undefined
  /** Analyzers by field, instead of those of the mapping. */
  readonly analyzers: Readonly<Record<string, string>>
  /** `realtime` and `version`, as reads by id take them. */
  readonly read: Readonly<Record<string, unknown>>
}

const filterKeys = [
  'max_num_terms',
  'min_term_freq',
  'max_term_freq',
  'min_doc_freq',
  'max_doc_freq',
  'min_word_length',
  'max_word_length',
] as const
const flags = ['positions', 'offsets', 'payloads', 'term_statistics', 'field_statistics', 'realtime'] as const
const otherKeys = [
  '_index',
  '_id',
  'doc',
  'routing',
  'fields',
  'filter',
  'per_field_analyzer',
  'version',
  'version_type',
]
const keys = new Set<string>([...flags, ...otherKeys])

/** The options of a request, the later of two winning: of a body, then of the address. Throws `parse_exception` for what none is. */
export function readTermVectors(...given: readonly Readonly<Record<string, unknown>>[]): TermVectorRequest {
  const options: Record<string, unknown> = {}
  for (const some of given) {
    for (const [key, value] of Object.entries(some)) {
      if (!keys.has(key)) throw refused(`The parameter ${key} is not valid for term vector request!`)
      if (value !== undefined) options[key] = value
    }
  }
  const on = (name: (typeof flags)[number], standard: boolean): boolean => flagOf(name, options[name] ?? standard)
  // Nothing keeps payloads; not to show them is no answer to who asks for them.
  if (on('payloads', false)) throw illegalArgument('[payloads] of terms are not kept here')
  const { _index: index, _id: id, doc, version, version_type: versionType } = options
  if (doc !== undefined && !isObject(doc)) throw refused('[doc] must be an object')
  return {
    index: index === undefined ? undefined : shown(index),
    id: id === undefined ? undefined : shown(id),
    doc,
    routing: options['routing'],
    fields: fieldsOf(options['fields']),
    positions: on('positions', true),
    offsets: on('offsets', true),
    termStatistics: on('term_statistics', false),
    fieldStatistics: on('field_statistics', true),
    filter: filterOf(options['filter']),
    analyzers: analyzersOf(options['per_field_analyzer']),
    read: { realtime: on('realtime', true), version, version_type: versionType },
  }
}

function refused(reason: string): AppError {
  return new AppError(searchErrors.parse_exception, reason)
}

function shown(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function flagOf(name: string, value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw illegalArgument(`Failed to parse value [${shown(value)}] of [${name}] as only [true] or [false] are allowed.`)
}

function fieldsOf(given: unknown): readonly string[] | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string') return given.split(',')
  if (Array.isArray(given) && given.every((name) => typeof name === 'string')) return given
  throw refused('failed to parse term vectors request. field [fields] must be an array')
}

function filterOf(given: unknown): TermFilter | undefined {
  if (given === undefined) return undefined
  if (!isObject(given)) throw refused('failed to parse term vectors request. field [filter] must be an object')
  for (const [key, value] of Object.entries(given)) {
    if (!(filterKeys as readonly string[]).includes(key))
      throw refused(`The parameter ${key} is not valid for term vector filter!`)
    if (!Number.isInteger(value) || Number(value) < 0)
      throw illegalArgument(`Failed to parse value [${shown(value)}] of [${key}]: a whole number is needed`)
  }
  return given as TermFilter
}

function analyzersOf(given: unknown): Readonly<Record<string, string>> {
  if (given === undefined) return {}
  if (isObject(given) && Object.values(given).every((name) => typeof name === 'string'))
    return given as Readonly<Record<string, string>>
  throw refused('failed to parse term vectors request. field [per_field_analyzer] must be an object of names')
}
