import { fastIsoMs } from '../dates/iso-date.ts'
import { parseSource } from '../json/source-json.ts'
import { byteSize, urlDecoded } from '../values/text-values.ts'
import { CharValue } from './char-value.ts'
import { collectors } from './collectors.ts'
import { comparators } from './comparators.ts'
import { durationStatics, FormatterValue, unitStatics } from './date-units.ts'
import { calendarStatics, DateValue, ZoneValue } from './date-value.ts'
import { JavaFault } from './java-fault.ts'
import { hashOf } from './java-hash.ts'
import { equal, putKey, textOf } from './java-values.ts'
import { listMethods, sorted } from './list-methods.ts'
import { mathStatics } from './math-statics.ts'
import { movingFunctions } from './moving-functions.ts'
import { numberStatics } from './number-statics.ts'
import { type Dictionary, mapEntries, withOrder } from './script-map.ts'
import { ScriptSet } from './script-set.ts'
import { StreamValue } from './stream-value.ts'
import { TextBuilder } from './text-builder.ts'
import { joinedTexts } from './text-length.ts'
import { TextTokenizer } from './text-tokenizer.ts'
import { numberOf } from './typed-number.ts'

function orFault<T>(value: T | undefined, reason: string): T {
  if (value !== undefined) return value
  throw new SyntaxError(reason)
}

/** What processors of pipelines do, for their scripts. */
const processors: Readonly<Record<string, StaticMethod>> = {
  bytes: (text: unknown) => numberOf('long', orFault(byteSize(String(text)), `[${String(text)}] is no size in bytes`)),
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
  if (Number.isNaN(ms))
    throw new JavaFault('date_time_parse_exception', `Text '${String(text)}' could not be parsed at index 0`)
  return new DateValue(ms)
}

type StaticMethod = (...args: never[]) => unknown

const booleanOf = (text: unknown) => text === true || (typeof text === 'string' && text.toLowerCase() === 'true')

/** A test of a letter's own kind. */
const letterIs = (pattern: RegExp) => (letter: unknown) => pattern.test(textOf(letter))

/** White space as `Character.isWhitespace` has it: none of the spaces that do not break, but the separators of files and records. */
const isBlank = (letter: string) => {
  const code = letter.charCodeAt(0)
  return (/^\s$/u.test(letter) && ![0xa0, 0x2007, 0x202f, 0xfeff].includes(code)) || (code >= 0x1c && code <= 0x1f)
}

const isRadix = (radix: unknown): radix is number => typeof radix === 'number' && radix >= 2 && radix <= 36

const characters = {
  isDigit: letterIs(/^\p{Nd}$/u),
  isLetter: letterIs(/^\p{L}$/u),
  isLetterOrDigit: letterIs(/^[\p{L}\p{Nd}]$/u),
  isUpperCase: letterIs(/^\p{Lu}$/u),
  isLowerCase: letterIs(/^\p{Ll}$/u),
  isWhitespace: (letter: unknown) => isBlank(textOf(letter)),
  toUpperCase: (letter: unknown) => new CharValue(textOf(letter).toUpperCase()),
  toLowerCase: (letter: unknown) => new CharValue(textOf(letter).toLowerCase()),
  toString: textOf,
  valueOf: (letter: unknown) => letter,
  getNumericValue: (letter: unknown) => {
    const value = Number.parseInt(textOf(letter), 36)
    return Number.isNaN(value) ? -1 : value
  },
  digit: (letter: unknown, radix: unknown) => {
    const value = isRadix(radix) ? Number.parseInt(textOf(letter), radix) : Number.NaN
    return Number.isNaN(value) ? -1 : value
  },
  forDigit: (digit: unknown, radix: unknown) => {
    const isOne = typeof digit === 'number' && isRadix(radix) && digit >= 0 && digit < radix
    return new CharValue(isOne ? digit.toString(radix) : '\0')
  },
}

/** Elements of a range, which is made at once. */
const rangeElementsMax = 1_000_000

function range(from: unknown, to: unknown, beyond: number): StreamValue {
  const length = Math.max(0, Number(to) - Number(from) + beyond)
  if (length > rangeElementsMax) throw new RangeError(`a range may have at most ${rangeElementsMax} elements`)
  return new StreamValue(Array.from({ length }, (_, at) => Number(from) + at))
}

function mapOf(pairs: readonly unknown[]): Dictionary {
  const map: Dictionary = withOrder({}, 'hash')
  for (let at = 0; at < pairs.length; at += 2) putKey(map, pairs[at], pairs[at + 1] ?? null)
  return map
}

function copied(map: Dictionary, order: 'hash' | 'insertion' | 'natural'): Dictionary {
  const copy: Dictionary = withOrder({}, order)
  for (const [key, value] of mapEntries(map)) putKey(copy, key, value)
  return copy
}

const Collections = {
  sort: (list: unknown[], compare?: (one: unknown, other: unknown) => unknown) =>
    listMethods['sort']?.(list as never, compare as never),
  reverse: (list: unknown[]) => void list.reverse(),
  max: (list: unknown[]) => sorted(list).at(-1) ?? null,
  min: (list: unknown[]) => sorted(list)[0] ?? null,
  frequency: (list: unknown[], value: unknown) => list.filter((item) => equal(item, value)).length,
  emptyList: () => Object.freeze([]),
  emptyMap: () => Object.freeze({}),
  emptySet: () => ScriptSet.holding([]),
  singletonList: (value: unknown) => Object.freeze([value]),
  unmodifiableList: (list: unknown[]) => Object.freeze([...list]),
}

const statics: Readonly<Record<string, Readonly<Record<string, StaticMethod>>>> = {
  Math: mathStatics,
  StrictMath: mathStatics,
  ...numberStatics,
  Boolean: {
    TRUE: () => true,
    FALSE: () => false,
    parseBoolean: booleanOf,
    valueOf: booleanOf,
    toString: textOf,
    compare: (one: boolean, other: boolean) => Number(one) - Number(other),
    logicalAnd: (one: boolean, other: boolean) => one && other,
    logicalOr: (one: boolean, other: boolean) => one || other,
    logicalXor: (one: boolean, other: boolean) => one !== other,
  },
  Character: characters,
  String: { valueOf: textOf, join: (separator: string, parts: unknown[]) => joinedTexts(parts.map(textOf), separator) },
  Objects: {
    equals: (one: unknown, other: unknown) => equal(one ?? null, other ?? null),
    isNull: (value: unknown) => value === null,
    nonNull: (value: unknown) => value !== null,
    hash: (...values: unknown[]) => hashOf(values),
    hashCode: hashOf,
    toString: (value: unknown, otherwise: unknown) =>
      value === null && otherwise !== undefined ? otherwise : textOf(value),
    requireNonNull: (value: unknown, reason: unknown) => {
      if (value !== null) return value
      throw new JavaFault('null_pointer_exception', reason === undefined ? 'null' : textOf(reason))
    },
  },
  List: { of: (...items: unknown[]) => items, copyOf: (items: unknown[]) => [...items] },
  Set: {
    of: (...items: unknown[]) => ScriptSet.holding(items),
    copyOf: (items: unknown[]) => ScriptSet.holding(items),
    linked: (items: unknown[] = []) => ScriptSet.holding(items, true),
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
  Map: {
    of: (...pairs: unknown[]) => mapOf(pairs),
    copyOf: (map: Dictionary) => copied(map, 'hash'),
    linked: (map: Dictionary = {}) => copied(map, 'insertion'),
    sorted: (map: Dictionary = {}) => copied(map, 'natural'),
  },
  ZoneId: { of: (id: unknown) => new ZoneValue(String(id)) },
  Instant: {
    ofEpochMilli: (ms: unknown) => new DateValue(Number(ms)),
    ofEpochSecond: (seconds: unknown) => new DateValue(Number(seconds) * 1000),
  },
  ZonedDateTime: { ofInstant: zonedDate, parse: parsedDate },
  ...calendarStatics,
  ChronoUnit: unitStatics,
  Duration: durationStatics,
  DateTimeFormatter: { ofPattern: (pattern: unknown) => new FormatterValue(String(pattern)) },
  System: {
    currentTimeMillis: () => numberOf('long', Date.now()),
    nanoTime: () => numberOf('long', Math.round(performance.now() * 1e6)),
  },
  StringBuilder: { of: (start: unknown) => new TextBuilder(start === undefined ? '' : textOf(start), textOf) },
  StringTokenizer: {
    of: (text: unknown, delimiters?: unknown, tells?: unknown) =>
      new TextTokenizer(textOf(text), delimiters === undefined ? undefined : textOf(delimiters), tells === true),
  },
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
