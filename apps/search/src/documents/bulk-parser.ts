import { AppError, searchErrors } from '@logstack/errors'
import { jsonFaultError } from '../json/json-fault.ts'
import { parseExactJson } from '../json/source-json.ts'
import { didYouMean } from '../refusals/did-you-mean.ts'
import { KnownActions } from './known-actions.ts'
import type { UpdateRequest, WriteOperation } from './write-operation.ts'

/** Defaults from the request line, and what the parser cannot know itself. */
export interface BulkOptions {
  /** The index of the path, for actions that name none. */
  readonly index?: string
  readonly routing?: string
  readonly pipeline?: string
  readonly requireAlias?: boolean
  readonly requireDataStream?: boolean
  /** Turns the `script` of an update into a function; throws `script_exception` or `illegal_argument_exception`. */
  readonly compileScript: (script: unknown) => NonNullable<UpdateRequest['script']>
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

const invalid = (reason: string): AppError => new AppError(searchErrors.illegal_argument_exception, reason)
const failedValidation = (reason: string): AppError =>
  new AppError(searchErrors.action_request_validation_exception, `Validation Failed: 1: ${reason};`)

/** The lines of a body, one after the other, as views: documents are not copied. */
class Lines {
  readonly #body: Buffer
  #at = 0
  /** Number of the line last read, from 1. */
  number = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  /** The next line without its end; undefined after the last. */
  next(): Buffer | undefined {
    if (this.#at >= this.#body.length) return undefined
    const end = this.#body.indexOf(lineFeed, this.#at)
    const start = this.#at
    this.#at = end + 1
    this.number += 1
    const trimmed = end > start && this.#body[end - 1] === carriageReturn ? end - 1 : end
    return this.#body.subarray(start, trimmed)
  }

  /** Passes over the next line where it is `line` again: no view of it is made then. */
  passes(line: Buffer): boolean {
    const end = this.#at + line.length
    if (this.#body[end] !== lineFeed || this.#body.compare(line, 0, line.length, this.#at, end) !== 0) return false
    this.#at = end + 1
    this.number += 1
    return true
  }
}

function isBlank(line: Buffer): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09) return false
  return true
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'START_ARRAY'
  if (value === null) return 'VALUE_NULL'
  return typeof value === 'object' ? 'START_OBJECT' : `VALUE_${typeof value}`.toUpperCase()
}

function parseObject(line: Buffer, at: number, mend?: (text: string) => unknown): Record<string, unknown> {
  let value: unknown
  const text = line.toString()
  try {
    value = parseExactJson(text)
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    value = mend?.(text)
    if (value === undefined) throw jsonFaultError(text)
  }
  if (kindOf(value) !== 'START_OBJECT')
    throw invalid(`Malformed action/metadata line [${at}], expected START_OBJECT but found [${kindOf(value)}]`)
  return value as Record<string, unknown>
}

/** An action whose last brace is missing, as Elasticsearch 8 takes it; undefined when that is not what is wrong. */
function parseUnclosed(text: string): unknown {
  try {
    return parseExactJson(`${text}}`)
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

type Meta = { -readonly [K in Exclude<keyof WriteOperation, 'action' | 'source' | 'update'>]?: WriteOperation[K] } & {
  opType?: string
  retryOnConflict?: number
  shownSource?: unknown
}

type ReadMeta = (meta: Meta, value: unknown, key: string) => void

/** What an error says of a value; an object may bring a `toString` that is no function. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? kindOf(value) : String(value)
}

function integer(value: unknown, key: string): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number
  throw invalid(`Failed to parse int parameter [${key}] with value [${shown(value)}]`)
}

function truth(value: unknown, key: string): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalid(`Failed to parse value [${shown(value)}] of [${key}] as only [true] or [false] are allowed.`)
}

function versionType(value: unknown): 'internal' | 'external' | 'external_gte' {
  if (value === 'internal' || value === 'external' || value === 'external_gte') return value
  throw invalid(`No version type match [${shown(value)}]`)
}

const ignore: ReadMeta = () => undefined

/** Every key an action may have. `_type` and `_parent` come from old clients and mean nothing any more. */
const metaKeys: Readonly<Record<string, ReadMeta>> = {
  _index: (meta, value) => {
    meta.index = String(value)
  },
  _id: (meta, value) => {
    meta.id = String(value)
  },
  _type: ignore,
  _parent: ignore,
  routing: (meta, value) => {
    meta.routing = String(value)
  },
  op_type: (meta, value) => {
    meta.opType = String(value)
  },
  version: (meta, value, key) => {
    meta.version = integer(value, key)
  },
  version_type: (meta, value) => {
    meta.versionType = versionType(value)
  },
  if_seq_no: (meta, value, key) => {
    meta.ifSeqNo = integer(value, key)
  },
  if_primary_term: (meta, value, key) => {
    meta.ifPrimaryTerm = integer(value, key)
  },
  retry_on_conflict: (meta, value, key) => {
    meta.retryOnConflict = integer(value, key)
  },
  pipeline: (meta, value) => {
    meta.pipeline = String(value)
  },
  require_alias: (meta, value, key) => {
    meta.requireAlias = truth(value, key)
  },
  require_data_stream: (meta, value, key) => {
    meta.requireDataStream = truth(value, key)
  },
  list_executed_pipelines: ignore,
  _source: (meta, value) => {
    meta.shownSource = value
  },
  dynamic_templates: (_meta, value) => {
    if (kindOf(value) !== 'START_OBJECT' || Object.keys(Object(value)).length > 0)
      throw invalid('[dynamic_templates] of a bulk action is not supported')
  },
}

/** Keys of an action whose value may be an object or a list. */
const objectKeys: ReadonlySet<string> = new Set(['_source', 'dynamic_templates'])

const actions = ['create', 'delete', 'index', 'update'] as const
type Action = (typeof actions)[number]

function readAction(line: Buffer, at: number, options: BulkOptions): { action: Action; meta: Meta } {
  const [entry] = Object.entries(parseObject(line, at, parseUnclosed))
  if (entry === undefined)
    throw invalid(`Malformed action/metadata line [${at}], expected FIELD_NAME but found [END_OBJECT]`)
  const [name, body] = entry
  const action = actions.find((known) => known === name)
  if (action === undefined)
    throw invalid(
      `Malformed action/metadata line [${at}], expected field [create], [delete], [index] or [update] but found [${name}]`,
    )
  if (kindOf(body) !== 'START_OBJECT')
    throw invalid(
      `Malformed action/metadata line [${at}], expected START_OBJECT or END_OBJECT but found [${kindOf(body)}]`,
    )
  const meta = defaultsOf(options)
  for (const [key, value] of Object.entries(body as Record<string, unknown>)) {
    const read = Object.hasOwn(metaKeys, key) ? metaKeys[key] : undefined
    if (read === undefined) throw invalid(`Action/metadata line [${at}] contains an unknown parameter [${key}]`)
    if (value === null) continue
    if (typeof value === 'object' && !objectKeys.has(key))
      throw invalid(
        `Malformed action/metadata line [${at}], expected a simple value for field [${key}] but found [${kindOf(value)}]`,
      )
    read(meta, value, key)
  }
  return { action, meta }
}

function defaultsOf(options: BulkOptions): Meta {
  const meta: Meta = {}
  if (options.index !== undefined) meta.index = options.index
  if (options.routing !== undefined) meta.routing = options.routing
  if (options.pipeline !== undefined) meta.pipeline = options.pipeline
  if (options.requireAlias !== undefined) meta.requireAlias = options.requireAlias
  if (options.requireDataStream !== undefined) meta.requireDataStream = options.requireDataStream
  return meta
}

const updateKeys: readonly string[] = [
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  'scripted_upsert',
  'script',
  '_source',
  'if_seq_no',
  'if_primary_term',
]

/** Reads the body of `_update` or of an update in `_bulk`. Throws `x_content_parse_exception` for unknown keys. */
export function readUpdate(
  body: Readonly<Record<string, unknown>>,
  compileScript: BulkOptions['compileScript'],
): UpdateRequest {
  const update: { -readonly [K in keyof UpdateRequest]: UpdateRequest[K] } = {}
  for (const [key, value] of Object.entries(body)) {
    if (key === 'doc' || key === 'upsert') update[key] = objectOf(value, key)
    else if (key === 'doc_as_upsert') update.docAsUpsert = truth(value, key)
    else if (key === 'detect_noop') update.detectNoop = truth(value, key)
    else if (key === 'scripted_upsert') update.scriptedUpsert = truth(value, key)
    else if (key === 'script') update.script = compileScript(value)
    else if (!updateKeys.includes(key))
      throw new AppError(
        searchErrors.x_content_parse_exception,
        `[UpdateRequest] unknown field [${key}]${didYouMean(key, updateKeys)}`,
      )
  }
  if (update.script !== undefined && update.doc !== undefined)
    throw failedValidation("can't provide both script and doc")
  if (update.script === undefined && update.doc === undefined) throw failedValidation('script or doc is missing')
  return update
}

function objectOf(value: unknown, key: string): Readonly<Record<string, unknown>> {
  if (kindOf(value) === 'START_OBJECT') return value as Record<string, unknown>
  throw new AppError(
    searchErrors.x_content_parse_exception,
    `[UpdateRequest] ${key} doesn't support values of type: ${kindOf(value)}`,
  )
}

function operationOf(
  action: Action,
  meta: Meta,
  line: Buffer | undefined,
  at: number,
  options: BulkOptions,
): WriteOperation {
  const { index, opType, retryOnConflict, shownSource, ...rest } = meta
  if (index === undefined) throw failedValidation('index is missing')
  if (rest.id === undefined && (action === 'delete' || action === 'update')) throw failedValidation('id is missing')
  if (action === 'delete') return { index, action, ...rest }
  if ((action === 'create' || opType === 'create') && rest.version !== undefined)
    throw failedValidation('create operations do not support explicit versions. use index instead')
  if (line === undefined) throw failedValidation('source is missing')
  if (action === 'update') {
    const body = parseObject(line, at)
    const update = {
      shownSource: body['_source'] ?? shownSource,
      ...readUpdate(body, options.compileScript),
      ...(retryOnConflict === undefined ? {} : { retryOnConflict }),
    }
    return { index, action, update, ...rest }
  }
  if (opType !== undefined && opType !== 'index' && opType !== 'create')
    throw invalid(`opType must be 'create' or 'index', found: [${opType}]`)
  return { index, action: opType === 'create' ? 'create' : action, source: line, ...rest }
}

/**
 * Splits the body of `_bulk` into operations; sources are views into `body`. Blank lines where an action is due are skipped. Throws
 * `parse_exception` (empty body), `illegal_argument_exception`, `x_content_parse_exception` or `action_request_validation_exception` for the
 * whole request; faults of single documents are found when they are applied.
 */
export function parseBulk(body: Buffer, options: BulkOptions): WriteOperation[] {
  if (body.length === 0) throw new AppError(searchErrors.parse_exception, 'request body is required')
  if (body[body.length - 1] !== lineFeed) throw invalid('The bulk request must be terminated by a newline [\\n]')
  const lines = new Lines(body)
  const operations: WriteOperation[] = []
  const known = new KnownActions()
  let previous: { readonly line: Buffer; readonly operation: WriteOperation } | undefined
  for (;;) {
    if (previous !== undefined && lines.passes(previous.line)) {
      const source = lines.next()
      if (source === undefined) throw failedValidation('source is missing')
      operations.push({ ...previous.operation, source })
      continue
    }
    const line = lines.next()
    if (line === undefined) break
    const like = known.operation(line, () => lines.next())
    if (like !== undefined) {
      operations.push(like)
      continue
    }
    if (isBlank(line)) continue
    const { action, meta } = readAction(line, lines.number, options)
    const source = action === 'delete' ? undefined : lines.next()
    if (action !== 'delete' && source === undefined && operations.length === 0)
      throw failedValidation('no requests added')
    const operation = operationOf(action, meta, source, lines.number, options)
    operations.push(operation)
    // Most actions of a request are the same to the byte, and differ in the document only.
    previous = operation.source === undefined ? undefined : { line, operation }
    known.note(line, operation)
  }
  if (operations.length === 0) throw failedValidation('no requests added')
  return operations
}
