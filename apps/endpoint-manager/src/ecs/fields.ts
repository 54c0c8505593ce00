import { isIP } from 'node:net'
import { type EcsFieldType, fieldTypeOf } from '@logstack/ecs'

/** A document while it is made: nested ECS fields. */
export type Fields = Record<string, unknown>

/** Whether a value is a nested object of fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A dotted name taken apart, and what its field can hold. */
export interface FieldPath {
  readonly steps: readonly string[]
  readonly type: EcsFieldType | undefined
}

const pathOf = new Map<string, FieldPath>()
const pathsMax = 10_000

/** A field's name taken apart; the same few hundred are asked for with every event. */
export function fieldPath(name: string): FieldPath {
  const known = pathOf.get(name)
  if (known) return known
  const path = { steps: name.split('.'), type: fieldTypeOf(name) }
  if (pathOf.size < pathsMax) pathOf.set(name, path)
  return path
}

/** The value of a dotted field; undefined when absent. */
export function getField(document: Fields, name: string): unknown {
  let at: unknown = document
  for (const step of fieldPath(name).steps) {
    if (!isFields(at)) return undefined
    at = at[step]
  }
  return at
}

/**
 * Sets a dotted field to what its type can hold. A value that it cannot (a name where an address belongs) is not set: false. A parent that is
 * no object is left as it is.
 */
export function setField(document: Fields, name: string, value: unknown): boolean {
  return setAt(document, fieldPath(name), value)
}

/** `setField` for a name that was taken apart before. */
export function setAt(document: Fields, path: FieldPath, value: unknown): boolean {
  return setFitting(document, path, fittingValue(path, value))
}

/** What a field of this type can hold of a value; undefined for nothing. */
export function fittingValue({ type }: FieldPath, value: unknown): unknown {
  return typed(type, value)
}

/** `setAt` for what `fittingValue` gave. */
export function setFitting(document: Fields, { steps }: FieldPath, fitting: unknown): boolean {
  if (fitting === undefined) return false
  const last = steps.length - 1
  let at = document
  for (let index = 0; index < last; index += 1) {
    const step = steps[index] ?? ''
    let next = at[step]
    if (next === undefined || next === null) {
      next = {}
      at[step] = next
    }
    if (!isFields(next)) return false
    at = next
  }
  at[steps[last] ?? ''] = fitting
  return true
}

/** Copies nested fields of `from` over those of `into`; undefined values are skipped, `__proto__` and its kin never copied. */
export function mergeFields(into: Fields, from: Fields): void {
  // Not `Object.entries`, which makes a list of pairs of every object of every event.
  for (const key in from) {
    const value = Object.hasOwn(from, key) ? from[key] : undefined
    if (value === undefined || key === '__proto__' || key === 'constructor') continue
    const present = into[key]
    if (!isFields(value)) {
      into[key] = value
      continue
    }
    const target: Fields = isFields(present) ? present : {}
    mergeFields(target, value)
    if (Object.keys(target).length > 0) into[key] = target
  }
}

function typed(type: EcsFieldType | undefined, value: unknown): unknown {
  if (Array.isArray(value)) {
    const fitting = value.map((item) => typed(type, item)).filter((item) => item !== undefined)
    return fitting.length > 0 ? fitting : undefined
  }
  switch (type) {
    case 'ip':
      return typeof value === 'string' && isIP(value) > 0 ? value : undefined
    case 'long':
      return integerOf(value)
    case 'double':
      return numberOf(value)
    case 'date':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined
    case 'boolean':
      return value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined
    default:
      return value === '' ? undefined : value
  }
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^-?\d{1,15}(\.\d+)?$/.test(value)) return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function integerOf(value: unknown): number | undefined {
  const number = numberOf(value)
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined
}
