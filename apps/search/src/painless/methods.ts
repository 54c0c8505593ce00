import { createHash } from 'node:crypto'
import { CharValue } from './char-value.ts'
import { comparatorMethods } from './comparators.ts'
import { elementsAStep, HostObject, lettersAStep } from './host-object.ts'
import { listMethods, setMethods } from './list-methods.ts'
import { mapMethods } from './map-methods.ts'
import type { MethodTable } from './method-table.ts'
import type { PatternValue, Replacement } from './regex-values.ts'
import { ScriptSet } from './script-set.ts'
import { castTo } from './types.ts'

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
  replaceAll: (text: string, pattern: PatternValue, to: Replacement) => pattern.matcher(text).replaced(to, true),
  replaceFirst: (text: string, pattern: PatternValue, to: Replacement) => pattern.matcher(text).replaced(to, false),
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
  if (typeof target === 'number' || typeof target === 'bigint') return numbers
  if (typeof target === 'boolean') return booleans
  if (typeof target === 'function') return functions
  if (target instanceof ScriptSet) return setMethods
  if (Array.isArray(target)) return listMethods
  return typeof target === 'object' && target !== null ? mapMethods : undefined
}

/** What takes no longer for a large collection. */
const constant = new Set('get set add size length getLength put containsKey getOrDefault putIfAbsent remove'.split(' '))

/** The steps a call counts as beside itself: what it goes through, and what it copies. */
export function stepsOf(target: unknown, name: string, args: readonly unknown[]): number {
  if (target instanceof HostObject) return target.steps(name, args)
  if (typeof target === 'string') return Math.floor(target.length / lettersAStep)
  const copied = name === 'addAll' && Array.isArray(args[0]) ? args[0].length : 0
  return (
    copied + (constant.has(name) && !(target instanceof ScriptSet) ? 0 : Math.floor(sizeOf(target) / elementsAStep))
  )
}

/** How many elements a value holds. */
export function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  if (value instanceof HostObject) return value.items()?.length ?? 0
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}
