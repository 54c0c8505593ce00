import { createHash } from 'node:crypto'
import { parseSource } from '../documents/source-json.ts'
import { fastIsoMs } from '../indices/dates/iso-date.ts'
import { byteSize, urlDecoded } from '../ingest/text-values.ts'
import { CharValue } from './char-value.ts'
import { DateValue, ZoneValue } from './date-value.ts'
import { HostObject } from './host-object.ts'
import { movingFunctions } from './moving-functions.ts'
import { TextBuilder } from './text-builder.ts'
import { castTo } from './types.ts'

/** A method of the whitelist. Undefined arguments were not given; what it returns undefined is `void`, shown as null. */
type Method = (target: never, ...args: never[]) => unknown
type MethodTable = Readonly<Record<string, Method | undefined>>
type Predicate = (value: unknown) => unknown

const equal = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && a !== null && JSON.stringify(a) === JSON.stringify(b))

const strings: MethodTable = {
  length: (text: string) => text.length,
  isEmpty: (text: string) => text === '',
  isBlank: (text: string) => text.trim() === '',
  charAt: (text: string, at: number) => {
    if (Number.isInteger(at) && at >= 0 && at < text.length) return new CharValue(text.charAt(at))
    throw new RangeError(`Index ${at} out of bounds for length ${text.length}`)
  },
  substring: (text: string, from: number, to?: number) => text.substring(from, to),
  indexOf: (text: string, part: string, from?: number) => text.indexOf(part, from),
  lastIndexOf: (text: string, part: string) => text.lastIndexOf(part),
  contains: (text: string, part: string) => text.includes(part),
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
  toLowerCase: (text: string) => text.toLowerCase(),
  toUpperCase: (text: string) => text.toUpperCase(),
  trim: (text: string) => text.trim(),
  concat: (text: string, other: string) => text + other,
  replace: (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  splitOnToken: (text: string, token: string, limit?: number) =>
    limit === undefined || limit < 1
      ? text.split(token)
      : [
          ...text.split(token).slice(0, limit - 1),
          text
            .split(token)
            .slice(limit - 1)
            .join(token),
        ],
  equals: (text: string, other: unknown) => text === other,
  equalsIgnoreCase: (text: string, other: string) => text.toLowerCase() === String(other).toLowerCase(),
  compareTo: (text: string, other: string) => (text < other ? -1 : text > other ? 1 : 0),
  toString: (text: string) => text,
  sha1: (text: string) => createHash('sha1').update(text, 'utf8').digest('hex'),
  sha256: (text: string) => createHash('sha256').update(text, 'utf8').digest('hex'),
}

const lists: MethodTable = {
  size: (list: unknown[]) => list.length,
  length: (list: unknown[]) => list.length,
  isEmpty: (list: unknown[]) => list.length === 0,
  get: (list: unknown[], at: number) => element(list, at),
  set: (list: unknown[], at: number, value: unknown) => {
    const old = element(list, at)
    list[at] = value
    return old
  },
  add: (list: unknown[], first: unknown, second?: unknown) => {
    if (second === undefined) list.push(first)
    else list.splice(Number(first), 0, second)
    return true
  },
  addAll: (list: unknown[], others: unknown[]) => list.push(...others) > 0,
  remove: (list: unknown[], at: number) => {
    const old = element(list, at)
    list.splice(at, 1)
    return old
  },
  removeIf: (list: unknown[], test: Predicate) => {
    const kept = list.filter((value) => test(value) !== true)
    const changed = kept.length !== list.length
    list.splice(0, list.length, ...kept)
    return changed
  },
  removeAll: (list: unknown[], others: unknown[]) => {
    const kept = list.filter((value) => !others.some((other) => equal(other, value)))
    const changed = kept.length !== list.length
    list.splice(0, list.length, ...kept)
    return changed
  },
  contains: (list: unknown[], value: unknown) => list.some((item) => equal(item, value)),
  indexOf: (list: unknown[], value: unknown) => list.findIndex((item) => equal(item, value)),
  clear: (list: unknown[]) => void list.splice(0),
  equals: (list: unknown[], other: unknown) => equal(list, other),
  toString: (list: unknown[]) => `[${list.map(textOf).join(', ')}]`,
}

type Dictionary = Record<string, unknown>

const own = (map: Dictionary, key: unknown): unknown => (Object.hasOwn(map, String(key)) ? map[String(key)] : null)

/** Sets a key of a map; `__proto__` is a key like any other. */
export function putKey(map: Dictionary, key: unknown, value: unknown): unknown {
  const old = own(map, key)
  Object.defineProperty(map, String(key), { value, enumerable: true, configurable: true, writable: true })
  return old
}

const maps: MethodTable = {
  get: own,
  getOrDefault: (map: Dictionary, key: unknown, otherwise: unknown) =>
    Object.hasOwn(map, String(key)) ? map[String(key)] : otherwise,
  put: putKey,
  putIfAbsent: (map: Dictionary, key: unknown, value: unknown) =>
    own(map, key) === null ? putKey(map, key, value) : own(map, key),
  putAll: (map: Dictionary, other: Dictionary) => {
    for (const [key, value] of Object.entries(other)) putKey(map, key, value)
  },
  remove: (map: Dictionary, key: unknown) => {
    const old = own(map, key)
    delete map[String(key)]
    return old
  },
  containsKey: (map: Dictionary, key: unknown) => Object.hasOwn(map, String(key)),
  containsValue: (map: Dictionary, value: unknown) => Object.values(map).some((item) => equal(item, value)),
  keySet: (map: Dictionary) => Object.keys(map),
  values: (map: Dictionary) => Object.values(map),
  entrySet: (map: Dictionary) => Object.entries(map).map(([key, value]) => ({ key, value })),
  getKey: (entry: Dictionary) => own(entry, 'key'),
  getValue: (entry: Dictionary) => own(entry, 'value'),
  size: (map: Dictionary) => Object.keys(map).length,
  isEmpty: (map: Dictionary) => Object.keys(map).length === 0,
  clear: (map: Dictionary) => {
    for (const key of Object.keys(map)) delete map[key]
  },
  equals: (map: Dictionary, other: unknown) => equal(map, other),
  toString: (map: Dictionary) => textOf(map),
}

const numbers: MethodTable = {
  intValue: (value: number) => castTo('int', value),
  longValue: (value: number) => castTo('long', value),
  doubleValue: (value: number) => Number(value),
  floatValue: (value: number) => Number(value),
  toString: (value: number) => String(value),
  equals: (value: number, other: unknown) => value === other,
  isNaN: (value: number) => Number.isNaN(value),
  compareTo: (value: number, other: number) => Math.sign(value - other),
}

type Callable = (...args: unknown[]) => unknown

/** What Java's interfaces of functions call theirs. */
const functions: MethodTable = Object.fromEntries(
  ['get', 'apply', 'test', 'accept', 'run', 'compare'].map((name) => [
    name,
    (call: Callable, ...args: unknown[]) => call(...args),
  ]),
)

const booleans: MethodTable = {
  toString: (value: boolean) => String(value),
  equals: (value: boolean, other: unknown) => value === other,
}

function element(list: readonly unknown[], at: number): unknown {
  if (Number.isInteger(at) && at >= 0 && at < list.length) return list[at]
  throw new RangeError(`Index ${at} out of bounds for length ${list.length}`)
}

/** A value as Java prints it. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof HostObject) return value.text()
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}=${textOf(item)}`)
    .join(', ')}}`
}

/** The whitelisted method of a value; undefined when it has none of that name. */
export function methodOf(target: unknown, name: string): ((...args: unknown[]) => unknown) | undefined {
  const table = tableOf(target)
  const method = table && Object.hasOwn(table, name) ? table[name] : undefined
  if (!method) return undefined
  return (...args) => (method as (...given: unknown[]) => unknown)(target, ...args)
}

function tableOf(target: unknown): MethodTable | undefined {
  if (typeof target === 'string') return strings
  if (typeof target === 'number' || typeof target === 'bigint') return numbers
  if (typeof target === 'boolean') return booleans
  if (typeof target === 'function') return functions
  if (Array.isArray(target)) return lists
  return typeof target === 'object' && target !== null ? maps : undefined
}

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
  },
  Integer: { parseInt: integer, valueOf: integer, toString: textOf },
  Long: { parseLong: integer, valueOf: integer, toString: textOf },
  Double: { parseDouble: decimal, valueOf: decimal, toString: textOf },
  Float: { parseFloat: decimal, valueOf: decimal, toString: textOf },
  Boolean: { parseBoolean: (text: unknown) => String(text).toLowerCase() === 'true' },
  String: { valueOf: textOf, join: (separator: string, parts: unknown[]) => parts.map(textOf).join(separator) },
  Objects: { equals: equal, isNull: (value: unknown) => value === null, nonNull: (value: unknown) => value !== null },
  List: { of: (...items: unknown[]) => items, copyOf: (items: unknown[]) => [...items] },
  Map: { copyOf: (map: Dictionary) => ({ ...map }) },
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
