import { parseSource } from '../documents/source-json.ts'
import { fastIsoMs } from '../indices/dates/iso-date.ts'
import { byteSize, urlDecoded } from '../ingest/text-values.ts'
import { collectors } from './collectors.ts'
import { comparators } from './comparators.ts'
import { DateValue, ZoneValue } from './date-value.ts'
import { type Dictionary, equal, naturalOrder, putKey, textOf } from './java-values.ts'
import { listMethods, sorted } from './list-methods.ts'
import { movingFunctions } from './moving-functions.ts'
import { ScriptSet } from './script-set.ts'
import { StreamValue } from './stream-value.ts'
import { TextBuilder } from './text-builder.ts'

function integer(text: unknown): number {
  const value = String(text)
  if (/^[+-]?\d+$/.test(value)) return Number(value)
  throw new SyntaxError(`For input string: "${value}"`)
}

function decimal(text: unknown): number {
  const value = String(text).trim()
  if (value !== '' && !Number.isNaN(Number(value))) return Number(value)
  throw new SyntaxError(`For input string: "${value}"`)
}

function orFault<T>(value: T | undefined, reason: string): T {
  if (value !== undefined) return value
  throw new SyntaxError(reason)
}

/** What processors of pipelines do, for their scripts. */
const processors: Readonly<Record<string, StaticMethod>> = {
  bytes: (text: unknown) => orFault(byteSize(String(text)), `[${String(text)}] is no size in bytes`),
  lowercase: (text: unknown) => String(text).toLowerCase(),
  uppercase: (text: unknown) => String(text).toUpperCase(),
  json: (text: unknown) => parseSource(Buffer.from(`{"value":${String(text)}}`))['value'],
  urlDecode: (text: unknown) => orFault(urlDecoded(String(text)), `[${String(text)}] is not URL-encoded`),
}

function zonedDate(date: unknown, zone: unknown): DateValue {
  if (!(date instanceof DateValue && zone instanceof ZoneValue)) throw new TypeError('a moment and a zone are needed')
  return new DateValue(date.ms, 0, zone.zone)
}

function parsedDate(text: unknown): DateValue {
  const ms = fastIsoMs(String(text))
  if (Number.isNaN(ms)) throw new SyntaxError(`Text '${String(text)}' could not be parsed`)
  return new DateValue(ms)
}

type StaticMethod = (...args: never[]) => unknown

const numbers = {
  compare: naturalOrder,
  sum: (one: number, other: number) => one + other,
  max: Math.max,
  min: Math.min,
}

/** Elements of a range, which is made at once. */
const rangeElementsMax = 1_000_000

function range(from: unknown, to: unknown, beyond: number): StreamValue {
  const length = Math.max(0, Number(to) - Number(from) + beyond)
  if (length > rangeElementsMax) throw new RangeError(`a range may have at most ${rangeElementsMax} elements`)
  return new StreamValue(Array.from({ length }, (_, at) => Number(from) + at))
}

function mapOf(pairs: readonly unknown[]): Dictionary {
  const map: Dictionary = {}
  for (let at = 0; at < pairs.length; at += 2) putKey(map, pairs[at], pairs[at + 1] ?? null)
  return map
}

const Collections = {
  sort: (list: unknown[], compare?: (one: unknown, other: unknown) => unknown) =>
    listMethods['sort']?.(list as never, compare as never),
  reverse: (list: unknown[]) => void list.reverse(),
  max: (list: unknown[]) => sorted(list).at(-1) ?? null,
  min: (list: unknown[]) => sorted(list)[0] ?? null,
  frequency: (list: unknown[], value: unknown) => list.filter((item) => equal(item, value)).length,
  emptyList: () => [],
  emptyMap: () => ({}),
  emptySet: () => ScriptSet.holding([]),
  singletonList: (value: unknown) => [value],
  unmodifiableList: (list: unknown[]) => Object.freeze([...list]),
}

const statics: Readonly<Record<string, Readonly<Record<string, StaticMethod>>>> = {
  Math: {
    abs: Math.abs,
    max: Math.max,
    min: Math.min,
    floor: Math.floor,
    ceil: Math.ceil,
    round: Math.round,
    sqrt: Math.sqrt,
    pow: Math.pow,
    log: Math.log,
    log10: Math.log10,
    exp: Math.exp,
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    asin: Math.asin,
    acos: Math.acos,
    atan: Math.atan,
    atan2: Math.atan2,
    cbrt: Math.cbrt,
    hypot: Math.hypot,
    signum: Math.sign,
    toRadians: (degrees: number) => (degrees * Math.PI) / 180,
    toDegrees: (radians: number) => (radians * 180) / Math.PI,
    PI: () => Math.PI,
    E: () => Math.E,
    floorMod: (value: number, by: number) => ((value % by) + by) % by,
  },
  Integer: {
    MAX_VALUE: () => 2_147_483_647,
    MIN_VALUE: () => -2_147_483_648,
    parseInt: integer,
    valueOf: integer,
    toString: textOf,
    ...numbers,
  },
  Long: {
    MAX_VALUE: () => 9_223_372_036_854_775_807n,
    MIN_VALUE: () => -9_223_372_036_854_775_808n,
    parseLong: integer,
    valueOf: integer,
    toString: textOf,
    ...numbers,
  },
  Double: { parseDouble: decimal, valueOf: decimal, toString: textOf, isNaN: Number.isNaN, ...numbers },
  Float: { parseFloat: decimal, valueOf: decimal, toString: textOf, isNaN: Number.isNaN, ...numbers },
  Boolean: { parseBoolean: (text: unknown) => String(text).toLowerCase() === 'true' },
  String: { valueOf: textOf, join: (separator: string, parts: unknown[]) => parts.map(textOf).join(separator) },
  Objects: { equals: equal, isNull: (value: unknown) => value === null, nonNull: (value: unknown) => value !== null },
  List: { of: (...items: unknown[]) => items, copyOf: (items: unknown[]) => [...items] },
  Set: {
    of: (...items: unknown[]) => ScriptSet.holding(items),
    copyOf: (items: unknown[]) => ScriptSet.holding(items),
  },
  Arrays: {
    asList: (...items: unknown[]) => (items.length === 1 && Array.isArray(items[0]) ? items[0] : items),
    sort: (list: unknown[]) => listMethods['sort']?.(list as never),
    stream: (list: unknown[]) => new StreamValue(list),
    toString: textOf,
  },
  Collections,
  Collectors: collectors,
  Comparator: comparators,
  Stream: { of: (...items: unknown[]) => new StreamValue(items), empty: () => new StreamValue([]) },
  IntStream: {
    range: (from: unknown, to: unknown) => range(from, to, 0),
    rangeClosed: (from: unknown, to: unknown) => range(from, to, 1),
  },
  Map: { of: (...pairs: unknown[]) => mapOf(pairs), copyOf: (map: Dictionary) => ({ ...map }) },
  ZoneId: { of: (id: unknown) => new ZoneValue(String(id)) },
  Instant: {
    ofEpochMilli: (ms: unknown) => new DateValue(Number(ms)),
    ofEpochSecond: (seconds: unknown) => new DateValue(Number(seconds) * 1000),
  },
  ZonedDateTime: { ofInstant: zonedDate, parse: parsedDate },
  System: { currentTimeMillis: Date.now, nanoTime: () => Math.round(performance.now() * 1e6) },
  StringBuilder: { of: (start: unknown) => new TextBuilder(start === undefined ? '' : textOf(start), textOf) },
  Processors: processors,
  MovingFunctions: movingFunctions,
}

/** Types whose static methods a script may call. */
export const staticTypes: readonly string[] = Object.keys(statics)

/** A whitelisted static method; undefined when there is none. */
export function staticMethod(type: string, name: string): ((...args: unknown[]) => unknown) | undefined {
  const table = statics[type]
  return table && Object.hasOwn(table, name) ? (table[name] as (...args: unknown[]) => unknown) : undefined
}
