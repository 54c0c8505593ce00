import { randomUUID } from 'node:crypto'
import { AppError, searchErrors } from '@logstack/errors'
import { boundedRegExp } from '@logstack/rules'
import { convertible } from './convertible.ts'
import { jsonFaultError, refuseDuplicates } from './json-fault.ts'
import { isUnsafeInteger, replaceNumbers } from './json-numbers.ts'
import { isObject } from './json-object.ts'
import { lineAndColumn } from './json-places.ts'
import { endOfString } from './json-string.ts'
import { setOwn } from './own-member.ts'

const longNumber = /\d{16,}/
/** Marks an integer beyond 2^53 inside JSON; random, so that no document holds it. */
const mark = `${randomUUID()}:`
const marked = boundedRegExp(`"${mark}(-?\\d+)"`, 'g')

/** A JSON object of a document. Integers that a number cannot hold exactly are bigints. */
export type SourceObject = Record<string, unknown>

function revive(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
}

/** Elasticsearch's parser goes no deeper; what reads a tree by recursion would run out of stack. */
const nestingMax = 1_000

/** Throws `x_content_parse_exception` for text that is nested deeper than any reader follows. */
export function refuseDeep(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === 0x22) at = endOfString(text, at) - 1
    else if (letter === 0x7d || letter === 0x5d) depth -= 1
    else if (letter === 0x7b || letter === 0x5b) {
      depth += 1
      if (depth <= nestingMax) continue
      const before = text.slice(0, at).split('\n')
      throw new AppError(
        searchErrors.x_content_parse_exception,
        `[${before.length}:${(before.at(-1)?.length ?? 0) + 1}] Document nesting depth (${depth}) exceeds the maximum allowed (${nestingMax}, from \`StreamReadConstraints.getMaxNestingDepth()\`)`,
      )
    }
  }
}

/** A text up to the end of the JSON object or list that it begins with; the whole text where that has no end. */
export function firstObject(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === 0x22) at = endOfString(text, at) - 1
    else if (letter === 0x7b || letter === 0x5b) depth += 1
    else if (letter === 0x7d || letter === 0x5d) {
      depth -= 1
      if (depth <= 0) return text.slice(0, at + 1)
    }
  }
  return text
}

/** Parses JSON; integers that a number cannot hold exactly are bigints. Throws `SyntaxError`, or what `refuseDeep` throws. */
export function parseExactJson(text: string): unknown {
  refuseDeep(text)
  if (!longNumber.test(text)) return convertible(JSON.parse(text), text)
  const safe = replaceNumbers(text, (token) => (isUnsafeInteger(token) ? JSON.stringify(mark + token) : undefined))
  return convertible(safe === text ? JSON.parse(text) : JSON.parse(safe, revive), text)
}

/** The error for a document that is no JSON: what stands behind it is met when it was read already. */
function unreadable(text: string): AppError {
  return ofDocument(jsonFaultError(text), isReadable(firstObject(text)) ? '' : 'failed to parse: ')
}

/** What is wrong with JSON as of a document, with its place before it. */
function ofDocument(cause: AppError, words: string): AppError {
  const place = /^\[\d+:\d+\] /u.exec(cause.message)?.[0] ?? ''
  return new AppError(searchErrors.document_parsing_exception, `${place}${words}${cause.message}`, { cause })
}

function isReadable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Reads the bytes of a document. Throws `document_parsing_exception` when they are no JSON object. */
export function parseSource(bytes: Buffer): SourceObject {
  return sourceIn(bytes.toString())
}

function sourceIn(text: string): SourceObject {
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown
    throw unreadable(text)
  }
  if (isObject(value)) return value
  const reason = `${lineAndColumn(text, 0)} Malformed content, must start with an object`
  throw new AppError(searchErrors.document_parsing_exception, reason)
}

/** Reads the bytes of a document that is written. Throws as `parseSource`, and where a name stands twice in an object. */
export function parseNewSource(bytes: Buffer): SourceObject {
  const text = bytes.toString()
  const source = sourceIn(text)
  try {
    refuseDuplicates(text)
  } catch (thrown) {
    throw thrown instanceof AppError ? ofDocument(thrown, 'failed to parse: ') : thrown
  }
  return source
}

/** Writes a document back to bytes, bigints as plain integers. */
export function writeSource(source: Readonly<SourceObject>): Buffer {
  let unsafe = false
  const text = acyclicJson(source, (_key, value: unknown) => {
    if (typeof value !== 'bigint') return value
    unsafe = true
    return mark + String(value)
  })
  return Buffer.from(unsafe ? text.replaceAll(marked, '$1') : text)
}

/** JSON of what a script may have put into itself; throws `illegal_argument_exception` then. */
function acyclicJson(source: Readonly<SourceObject>, replacer: (key: string, value: unknown) => unknown): string {
  try {
    return JSON.stringify(source, replacer)
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    throw new AppError(searchErrors.illegal_argument_exception, 'Iterable object is self-referencing itself')
  }
}

/** A copy of a document that shares nothing with it. */
export function copySource(source: Readonly<SourceObject>): SourceObject {
  return structuredClone(source)
}

/**
 * Merges a partial document into a source as `_update` does: objects key by key, everything else replaced. Returns the merged copy and
 * whether it differs.
 */
export function mergeSource(
  source: Readonly<SourceObject>,
  partial: Readonly<SourceObject>,
): { readonly merged: SourceObject; readonly changed: boolean } {
  const merged: SourceObject = { ...source }
  let changed = false
  for (const [key, value] of Object.entries(partial)) {
    const old = Object.hasOwn(source, key) ? source[key] : undefined
    if (isObject(old) && isObject(value)) {
      const inner = mergeSource(old, value)
      setOwn(merged, key, inner.merged)
      changed ||= inner.changed
    } else if (!Object.hasOwn(source, key) || !sameJson(old, value)) {
      setOwn(merged, key, value)
      changed = true
    }
  }
  return { merged, changed }
}

/** Whether two JSON values are equal; the order of keys does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => sameJson(value, other[at]))
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
  )
}
