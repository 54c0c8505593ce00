import { goThrough } from './held-values.ts'
import { HostObject } from './host-object.ts'
import { bare, numberTypeOf } from './typed-number.ts'

/** Java's `hashCode` of a value that scripts use as key or in sets: the contracts of `String`, `Number`, `Boolean`, `List`, `Set` and `Map`. */
export function hashOf(value: unknown): number {
  goThrough(value)
  return hashWithin(value)
}

function hashWithin(value: unknown): number {
  if (typeof value === 'string') return hashOfText(value)
  if (typeof value === 'boolean') return value ? 1231 : 1237
  const type = numberTypeOf(value)
  if (type !== undefined) return hashOfNumber(type, bare(value) as number | bigint)
  if (Array.isArray(value))
    return isSet(value)
      ? value.reduce<number>((sum, item) => (sum + hashWithin(item)) | 0, 0)
      : value.reduce<number>((sum, item) => (Math.imul(31, sum) + hashWithin(item)) | 0, 1)
  if (value instanceof HostObject) return hashOfText(value.text())
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [key, item]) => (sum + (hashOfText(key) ^ hashWithin(item))) | 0, 0)
}

const isSet = (value: readonly unknown[]): boolean => Object.getPrototypeOf(value) !== Array.prototype

function hashOfText(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(31, sum) + text.charCodeAt(at)) | 0
  return sum
}

function hashOfNumber(type: string, value: number | bigint): number {
  if (type === 'long') {
    const bits = BigInt.asUintN(64, BigInt(value))
    return Number(BigInt.asIntN(32, bits ^ (bits >> 32n)))
  }
  const bits = new DataView(new ArrayBuffer(8))
  if (type === 'double') bits.setFloat64(0, Number(value))
  else if (type === 'float') bits.setFloat32(0, Number(value))
  else return Number(value) | 0
  return bits.getInt32(0) ^ bits.getInt32(4)
}

/** The places of a `HashMap` that holds so many keys; made of another collection it is as large as its size asks for. */
export function hashPlaces(size: number, copied = false): number {
  let places = 16
  while (copied ? places < size / 0.75 + 1 : places * 0.75 < size) places *= 2
  return places
}

/** Values in the order in which a `HashMap` of so many places goes through them: by place, and there in the order they came. */
export function inHashOrder<T>(values: readonly T[], keyOf: (value: T) => unknown, places: number): T[] {
  const placed = values.map((value) => {
    const hash = hashOf(keyOf(value))
    return { value, place: (hash ^ (hash >>> 16)) & (places - 1) }
  })
  return placed.sort((one, other) => one.place - other.place).map(({ value }) => value)
}
