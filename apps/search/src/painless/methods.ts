import { createHash } from 'node:crypto'
import { CharValue } from './char-value.ts'
import { comparatorMethods } from './comparators.ts'
import { HostObject } from './host-object.ts'
import { JavaFault } from './java-fault.ts'
import { hashOf } from './java-hash.ts'
import { listMethods, setMethods } from './list-methods.ts'
import { mapMethods } from './map-methods.ts'
import type { MethodTable } from './method-table.ts'
import { numberMethods } from './number-methods.ts'
import type { PatternValue, Replacement } from './regex-values.ts'
import { lettersAStep, valuesAStep } from './run-costs.ts'
import { ScriptSet } from './script-set.ts'
import { StreamValue } from './stream-value.ts'
import { lettersOf, refuseLong, replacedParts } from './text-length.ts'
import { lastPlaceIn, piecesBetween, placeIn } from './text-search.ts'

const beyond = (reason: string) => new JavaFault('string_index_out_of_bounds_exception', reason)

/** Java's `trim`: all letters up to the space count as blank. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && text.charCodeAt(from) <= 0x20) from += 1
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to -= 1
  return text.slice(from, to)
}

/** A text or a letter as a text; throws a TypeError for what is neither. */
function pieceOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof CharValue) return value.letter
  throw new TypeError('a text is needed')
}

function repeated(text: string, times: number): string {
  refuseLong(text.length * times)
  if (times < 0) throw new JavaFault('illegal_argument_exception', `count is negative: ${times}`)
  return text.repeat(times)
}

/** Java's `compareTo` of texts: how far the first letters that differ are apart, else the lengths. */
function lettersApart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  for (let at = 0; at < most; at += 1) {
    const apart = one.charCodeAt(at) - other.charCodeAt(at)
    if (apart !== 0) return apart
  }
  return one.length - other.length
}

/** Painless's `splitOnToken`: with a limit the last piece is all that is left. */
function splitOnToken(text: string, token: string, limit = 0): string[] {
  const pieces = piecesBetween(text, token)
  if (limit < 1 || pieces.length <= limit) return pieces
  const first = pieces.slice(0, limit - 1)
  return [...first, pieces.slice(limit - 1).join(token)]
}

const strings: MethodTable = {
  length: (text: string) => text.length,
  isEmpty: (text: string) => text === '',
  isBlank: (text: string) => text.trim() === '',
  charAt: (text: string, at: number) => {
    if (Number.isInteger(at) && at >= 0 && at < text.length) return new CharValue(text.charAt(at))
    throw beyond(`Index ${at} out of bounds for length ${text.length}`)
  },
  substring: (text: string, from: number, to: number = text.length) => {
    if (from >= 0 && from <= to && to <= text.length) return text.substring(from, to)
    throw beyond(`begin ${from}, end ${to}, length ${text.length}`)
  },
  subSequence: (text: string, from: number, to: number) => {
    if (from >= 0 && from <= to && to <= text.length) return text.substring(from, to)
    throw beyond(`begin ${from}, end ${to}, length ${text.length}`)
  },
  indexOf: (text: string, part: unknown, from?: number) => placeIn(text, pieceOf(part), from),
  lastIndexOf: (text: string, part: unknown, from?: number) => lastPlaceIn(text, pieceOf(part), from),
  contains: (text: string, part: unknown) => placeIn(text, pieceOf(part)) >= 0,
  startsWith: (text: string, part: unknown, from?: number) => text.startsWith(pieceOf(part), from),
  endsWith: (text: string, part: unknown) => text.endsWith(pieceOf(part)),
  codePointAt: (text: string, at: number) => text.codePointAt(at),
  hashCode: hashOf,
  toCharArray: (text: string) => [...Array(text.length).keys()].map((at) => new CharValue(text.charAt(at))),
  chars: (text: string) => new StreamValue([...Array(text.length).keys()].map((at) => text.charCodeAt(at))),
  strip: (text: string) => text.trim(),
  stripLeading: (text: string) => text.trimStart(),
  stripTrailing: (text: string) => text.trimEnd(),
  repeat: repeated,
  encodeBase64: (text: string) => Buffer.from(text, 'utf8').toString('base64'),
  decodeBase64: (text: string) => Buffer.from(text, 'base64').toString('utf8'),
  toLowerCase: (text: string) => text.toLowerCase(),
  toUpperCase: (text: string) => text.toUpperCase(),
  trim: (text: string) => trimmed(text),
  concat: (text: string, other: unknown) => text + pieceOf(other),
  replace: (text: string, from: unknown, to: unknown) => replacedParts(text, pieceOf(from), pieceOf(to)),
  replaceAll: (text: string, pattern: PatternValue, to: Replacement) => pattern.matcher(text).replaced(to, true),
  replaceFirst: (text: string, pattern: PatternValue, to: Replacement) => pattern.matcher(text).replaced(to, false),
  splitOnToken,
  equals: (text: string, other: unknown) => text === other,
  equalsIgnoreCase: (text: string, other: unknown) =>
    typeof other === 'string' && text.toLowerCase() === other.toLowerCase(),
  compareTo: (text: string, other: unknown) => lettersApart(text, pieceOf(other)),
  compareToIgnoreCase: (text: string, other: unknown) => lettersApart(text.toLowerCase(), pieceOf(other).toLowerCase()),
  toString: (text: string) => text,
  sha1: (text: string) => createHash('sha1').update(text, 'utf8').digest('hex'),
  sha256: (text: string) => createHash('sha256').update(text, 'utf8').digest('hex'),
}

type Callable = (...args: unknown[]) => unknown

/** What Java's interfaces of functions call theirs. */
const functions: MethodTable = {
  ...comparatorMethods,
  ...Object.fromEntries(
    ['get', 'apply', 'test', 'accept', 'run', 'compare', 'applyAsInt', 'applyAsLong', 'applyAsDouble'].map((name) => [
      name,
      (call: Callable, ...args: unknown[]) => call(...args),
    ]),
  ),
}

const booleans: MethodTable = {
  hashCode: hashOf,
  booleanValue: (value: boolean) => value,
  compareTo: (value: boolean, other: boolean) => Number(value) - Number(other),
  toString: (value: boolean) => String(value),
  equals: (value: boolean, other: unknown) => value === other,
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
  if (typeof target === 'number' || typeof target === 'bigint') return numberMethods
  if (typeof target === 'boolean') return booleans
  if (typeof target === 'function') return functions
  if (target instanceof ScriptSet) return setMethods
  if (Array.isArray(target)) return listMethods
  return typeof target === 'object' && target !== null ? mapMethods : undefined
}

/** What takes no longer for a large collection. */
const constant = new Set('get set add size length getLength put containsKey getOrDefault putIfAbsent remove'.split(' '))
/** What takes no longer for a long text. */
const ofOneLetter = new Set(['length', 'isEmpty', 'charAt', 'codePointAt'])
/** What makes a value of each letter, and how many of them count as a step. */
const ofEachLetter = new Map([
  ['toCharArray', 1],
  ['chars', valuesAStep],
  ['splitOnToken', valuesAStep],
])
/** What goes through one collection for each element of another. */
const ofEachElement = new Set(['containsAll', 'removeAll', 'retainAll'])

/** The steps a call counts as beside itself: what it goes through, and what it copies. */
export function stepsOf(target: unknown, name: string, args: readonly unknown[]): number {
  if (target instanceof HostObject) return target.steps(name, args)
  if (typeof target === 'string') {
    if (ofOneLetter.has(name)) return 0
    return Math.floor(target.length / (ofEachLetter.get(name) ?? lettersAStep) + lettersOf(args) / lettersAStep)
  }
  const other = Array.isArray(args[0]) ? args[0].length : 0
  if (ofEachElement.has(name)) return Math.ceil((sizeOf(target) * other) / valuesAStep)
  const copied = name === 'addAll' ? other : 0
  return copied + (constant.has(name) && !(target instanceof ScriptSet) ? 0 : Math.floor(sizeOf(target) / valuesAStep))
}

/** How many elements a value holds. */
export function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (value instanceof HostObject) return value.items()?.length ?? 0
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}
