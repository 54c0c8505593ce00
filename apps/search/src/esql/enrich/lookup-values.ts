import { type AppError, isAppError, placeOf } from '@logstack/errors'
import type { CommandOf } from '@logstack/esql'
import { formatIp, parseIp } from '@logstack/rules'
import { keyings } from '../../enrich/keys/index.ts'
import type { EnrichReader } from '../../enrich/lookup.ts'
import { fieldTypeOf } from '../../indices/field-types/index.ts'
import { illegalValue } from '../../indices/field-types/leaf.ts'
import { printDouble } from '../../json/print-json.ts'
import type { QueryContext } from '../define-command.ts'
import type { EsqlType } from '../types.ts'
import type { PlacesByKey } from './enriched.ts'

/** A value of rows: as the engine prints it, and as answers of the engine have it. */
export type KeyCell = readonly [key: string, cell: unknown]

/** Look-ups between which others get their turn. */
const atOnce = 500
/** How many reasons are told why values cannot be looked up. */
const reasonsMax = 20

/** Looks up what rows are matched by. What cannot be looked up has no documents, and a warning tells of it. */
export async function lookUp(
  reader: EnrichReader,
  { cells, type }: { readonly cells: readonly KeyCell[]; readonly type: EsqlType },
  command: CommandOf<'enrich'>,
  { context, signal }: { readonly context: QueryContext; readonly signal: AbortSignal },
): Promise<PlacesByKey> {
  const found = new Map<string, readonly number[]>()
  const reasons = new Set<string>()
  const read = readerOf(reader, type)
  for (const [at, [key, cell]] of cells.entries()) {
    if (at % atOnce === atOnce - 1) await turn()
    signal.throwIfAborted()
    try {
      const places = reader.places([cell].flat().map(read))
      if (places.length > 0) found.set(key, places)
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      reasons.add(reasonOf(thrown))
    }
  }
  tell(reasons, command, context)
  return found
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** An error as warnings of Elasticsearch name it. */
function reasonOf({ code, message }: AppError): string {
  if (message.startsWith('failed to parse date field'))
    return `org.elasticsearch.ElasticsearchParseException: ${message}: [${message}]`
  const name = code === 'number_format_exception' ? 'NumberFormatException' : 'IllegalArgumentException'
  return `java.lang.${name}: ${message}`
}

function tell(reasons: ReadonlySet<string>, { from, to }: CommandOf<'enrich'>, { text, warnings }: QueryContext): void {
  if (reasons.size === 0) return
  const place = placeOf(text, from).replace('line', 'Line')
  const written = text.slice(from, to)
  warnings.add(
    `${place}: evaluation of [${written}] failed, treating result as null. Only first ${reasonsMax} failures recorded.`,
  )
  for (const reason of [...reasons].slice(0, reasonsMax)) warnings.add(`${place}: ${reason}`)
}

/** Cells of the engine as the values that a table is asked for. */
function readerOf({ keying, version }: EnrichReader, type: EsqlType): (cell: unknown) => unknown {
  const { field } = version.shape
  if (type === 'double') return (cell) => printDouble(Number(cell))
  if (type === 'ip') return addressOf
  if (type === 'date' && field && keying === keyings.range)
    return (cell) => fieldTypeOf('date').show(Number(cell), { ...field, wireType: 'date' })
  const bounds = field && boundsOf[field.wireType]
  return bounds ? (cell) => withinBounds(String(cell), bounds) : String
}

function addressOf(cell: unknown): string {
  const address = parseIp(String(cell))
  return address === undefined ? String(cell) : formatIp(address)
}

const boundsOf: Readonly<Record<string, { readonly bits: bigint; readonly called: string }>> = {
  integer_range: { bits: 32n, called: 'an integer' },
  long_range: { bits: 64n, called: 'a long' },
}

/** A whole number that ranges of its type can hold. Throws for all others, as ranges of documents do. */
function withinBounds(text: string, { bits, called }: { readonly bits: bigint; readonly called: string }): string {
  if (/^[+-]?\d*\.\d*[1-9]\d*$/u.test(text)) throw illegalValue(`Value [${text}] has a decimal part`)
  if (!/^[+-]?\d+$/u.test(text)) return text
  const value = BigInt(text.replace('+', ''))
  const end = 1n << (bits - 1n)
  if (value < -end || value >= end) throw illegalValue(`Value [${text}] is out of range for ${called}`)
  return text
}
