import { parseInstant } from './instant.ts'
import { formatIp, parseIp } from './ip.ts'
import type { Value, ValueType } from './predicate.ts'

/** Every leaf under a dotted path, through objects, names that hold dots themselves, and arrays; nulls left out. */
export function leavesAt(source: unknown, path: string): unknown[] {
  return collect(source, path, undefined, true) ?? []
}

/** The leaves that `leavesAt` finds, and among them another value for each null. */
export function leavesWithNulls(source: unknown, path: string, forNull: unknown): unknown[] {
  return collect(source, path, undefined, true, forNull) ?? []
}

/** Every value under a dotted path as `leavesAt` finds them, lists left whole: of a point `[lon, lat]` the pair. */
export function wholesAt(source: unknown, path: string): unknown[] {
  return collect(source, path, undefined, false) ?? []
}

// Most paths hold nothing or one value: a list that a value is pushed to has room for seventeen.
function collect(
  node: unknown,
  path: string,
  before: unknown[] | undefined,
  apart: boolean,
  forNull?: unknown,
): unknown[] | undefined {
  if (node === null && path === '' && forNull !== undefined) return collect(forNull, path, before, apart)
  if (node === null || node === undefined) return before
  let found = before
  if (Array.isArray(node) && (apart || path !== '')) {
    for (const member of node) found = collect(member, path, found, apart, forNull)
    return found
  }
  if (path === '') {
    if (!found) return [node]
    found.push(node)
    return found
  }
  if (typeof node !== 'object') return found
  const members = node as Readonly<Record<string, unknown>>
  for (const { name, rest } of waysOf(path))
    if (Object.hasOwn(members, name)) found = collect(members[name], rest, found, apart, forNull)
  return found
}

/** A name that may be a member, and the path that is left below it. */
interface Way {
  readonly name: string
  readonly rest: string
}

const knownWays = new Map<string, readonly Way[]>()
/** Thousands of rules ask for some ten thousand paths and ends of paths of every event. */
const knownWaysMax = 50_000

/** `a.b.c` may be `a` and `b.c`, `a.b` and `c`, or one name; rules ask for the same paths of every event. */
function waysOf(path: string): readonly Way[] {
  const known = knownWays.get(path)
  if (known) return known
  const ways: Way[] = []
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
    ways.push({ name: path.slice(0, dot), rest: path.slice(dot + 1) })
  ways.push({ name: path, rest: '' })
  if (knownWays.size >= knownWaysMax) knownWays.clear()
  knownWays.set(path, ways)
  return ways
}

/** A JSON leaf as the comparable value of a type, with the default formats; undefined when it is none. */
export function readValue(leaf: unknown, type: ValueType): Value | undefined {
  switch (type) {
    case 'string':
    case 'text':
      return typeof leaf === 'object' ? undefined : String(leaf)
    case 'long':
    case 'unsigned':
      return readInteger(leaf)
    case 'double':
      return readNumber(leaf)
    case 'boolean':
      return leaf === true || leaf === 'true'
        ? true
        : leaf === false || leaf === 'false' || leaf === ''
          ? false
          : undefined
    case 'date':
      return readDate(leaf)?.ms
    case 'date_nanos': {
      const instant = readDate(leaf)
      return instant && BigInt(instant.ms) * 1_000_000n + BigInt(instant.nanos)
    }
    case 'ip': {
      const address = typeof leaf === 'string' ? parseIp(leaf) : undefined
      return address === undefined ? undefined : formatIp(address)
    }
    case 'binary':
      return undefined
  }
}

function readNumber(leaf: unknown): number | undefined {
  if (typeof leaf === 'bigint') return Number(leaf)
  const value = typeof leaf === 'string' && leaf.trim() !== '' ? Number(leaf) : leaf
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function readInteger(leaf: unknown): number | bigint | undefined {
  const exact =
    typeof leaf === 'bigint' ? leaf : typeof leaf === 'string' && /^[+-]?\d+$/u.test(leaf) ? BigInt(leaf) : undefined
  if (exact !== undefined) return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  const value = readNumber(leaf)
  if (value === undefined) return undefined
  const whole = Math.trunc(value)
  return Number.isSafeInteger(whole) ? whole : BigInt(whole)
}

function readDate(leaf: unknown) {
  if (typeof leaf === 'number') return { ms: Math.trunc(leaf), nanos: 0 }
  if (typeof leaf !== 'string') return undefined
  const instant = parseInstant(leaf)
  if (instant) return instant
  return /^-?\d+$/u.test(leaf) ? { ms: Number(leaf), nanos: 0 } : undefined
}

/** Orders two values of one type: negative, 0 or positive. Text orders by code point, addresses by number. */
export function compareValues(a: Value, b: Value, type: ValueType): number {
  if (type === 'ip') return order(parseIp(String(a)) ?? -1n, parseIp(String(b)) ?? -1n)
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return order(a, b)
}

function order(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}
