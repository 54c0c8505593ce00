import { type Fields, isFields } from '../../../ecs/fields.ts'

/** What a message of an agent says: fields of the event, and the data set it belongs to. */
export interface Reading {
  readonly dataset: string
  readonly fields: Fields
  /** Zone of times that do not say theirs, where it is known. */
  readonly timezone?: string
}

/** A kind of messages: how its data set is called where it cannot be read, and how it is read. */
export interface MessageKind {
  /** The last word of `wazuh.<name>`. */
  readonly name: string
  /** `none` for messages that are no events; undefined for what cannot be read. */
  read?(text: string, location: string): Reading | 'none' | undefined
}

/** An object that agents write as JSON; undefined for anything else. */
export function readObject(text: string): Fields | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

/** The object under a name; an empty one where there is none. */
export function objectOf(from: Fields, name: string): Fields {
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  return isFields(value) ? value : {}
}

/** A text or a number as text. Agents write a blank where they know nothing: that, and anything else, is undefined. */
export function textOf(from: Fields, name: string): string | undefined {
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A number, also one that is written as text; undefined for anything else. */
export function numberOf(from: Fields, name: string): number | undefined {
  const text = textOf(from, name)
  if (text === undefined || !/^-?\d{1,15}(?:\.\d+)?$/.test(text)) return undefined
  return Number(text)
}

/** The texts of a list; an empty one where there is none. */
export function textsOf(from: Fields, name: string): string[] {
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

/** The time of a number of seconds since 1970, in ISO 8601; undefined for what is none. */
export function timeOf(from: Fields, name: string): string | undefined {
  const seconds = numberOf(from, name)
  if (seconds === undefined || seconds <= 0) return undefined
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

/** Fields without those that are undefined, and without objects that nothing is in. */
export function present(fields: Fields): Fields {
  const found: Fields = {}
  for (const [name, value] of Object.entries(fields)) {
    const kept = isFields(value) ? present(value) : value
    const isEmpty = kept === undefined || (isFields(kept) ? Object.keys(kept).length === 0 : false)
    if (!isEmpty && !(Array.isArray(kept) && kept.length === 0)) found[name] = kept
  }
  return found
}
