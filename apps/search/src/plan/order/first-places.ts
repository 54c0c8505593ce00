import { join, num, type Sql, sql } from '../../sql/sql.ts'
import type { OrderKey } from './order-key.ts'

/** Makes a column of the rows of all leaves, each its own; answers its name. */
type Project = (prefix: string, byLeaf: readonly Sql[]) => Sql

/** A criterion of an order: whether what is greater comes first, where missing texts go, and its key in every leaf. */
export interface FirstBy {
  readonly descending: boolean
  readonly missingFirst: boolean
  readonly keys: readonly OrderKey[]
}

/** A place as a number: behind the sequence number of a row, which is below 2^53, the number of its leaf. */
const leafBits = 11
/** Words of 64 bits that are put together to one number. */
const wordsMax = 4

/** What rows are compared by. */
export interface PlaceOrder {
  /** Of a row: what is less comes first. */
  readonly standing: Sql
  /** The places of a list of such: tuples that end with the number of the leaf and the sequence number. */
  places(list: Sql): Sql
}

/** A cell with the places of the first `most` rows of each group in their order. */
export function firstPlaces({ standing, places }: PlaceOrder, most: number): Sql {
  return places(sql`groupArraySorted(${num(most)})(${standing})`)
}

/** Objects within documents: where their documents are (a tuple of leaf and sequence number), their own places in these, and what is told of each that is found. */
export interface PlacedObjects {
  readonly place: Sql
  readonly ordinals: Sql
  readonly told: readonly Sql[]
}

/** A cell with the first `most` objects of each group: tuples that end with what is told of each, the number of the leaf and the sequence number. */
export function firstObjects(
  order: readonly FirstBy[],
  { place, ordinals, told }: PlacedObjects,
  most: number,
  project: Project,
): Sql {
  const cells = order.filter(({ keys }) => !isAlike(keys)).flatMap((by) => ascending(by, project))
  const [leaf, arrival] = [sql`tupleElement(${place}, 1)`, sql`tupleElement(${place}, 2)`]
  const row = sql`tuple(${join([...cells, arrival, leaf, ordinals, ...told, leaf, arrival], ', ')})`
  return sql`groupArraySorted(${num(most)})(${row})`
}

/**
 * The order of the rows of all leaves by their criteria and, where these are the same, by their arrival. The engine compares whole numbers twenty times as fast as tuples, so that
 * is what is compared where the criteria are numbers of one kind (ADR 0007).
 */
export function placeOrder(order: readonly FirstBy[], leaves: number, project: Project): PlaceOrder {
  const deciding = order.filter(({ keys }) => !isAlike(keys))
  const kinds = deciding.map(({ keys }) => kindOf(keys))
  const isPacked = deciding.length < wordsMax && leaves <= 2 ** leafBits && !kinds.includes(undefined)
  const every = (of: (leaf: number) => Sql) => Array.from({ length: leaves }, (_, leaf) => of(leaf))
  if (!isPacked) {
    const cells = deciding.flatMap((by) => ascending(by, project))
    const arrival = project(
      'a',
      every(() => sql`_seq`),
    )
    const leaf = project(
      'l',
      every((at) => sql`toUInt32(${num(at)})`),
    )
    return { standing: sql`tuple(${join([...cells, arrival, leaf, arrival], ', ')})`, places: (list) => list }
  }
  const place = project(
    'l',
    every((at) => sql`bitOr(bitShiftLeft(_seq, ${num(leafBits)}), ${num(at)})`),
  )
  const words = deciding.map(({ descending, keys }, at) => {
    const kind = kinds[at] ?? 'signed'
    const value = project(
      'o',
      keys.map((key) => sql`${typed[kind]}(${key.sql})`),
    )
    return wordOf(value, kind, descending)
  })
  const sequence = sql`bitShiftRight(toUInt64(x), ${num(leafBits)})`
  const leaf = sql`toUInt32(bitAnd(x, ${num(2 ** leafBits - 1)}))`
  return {
    standing: packed([...words, place]),
    places: (list) => sql`arrayMap(x -> (${leaf}, ${sequence}), ${list})`,
  }
}

/**
 * The keys of one leaf's order as a number that ascends in it, and of which the lowest 64 bits are those of the last key; undefined where there are texts among them, or too
 * many. The last key is the order of arrival.
 */
export function packedKeys(keys: readonly OrderKey[]): Sql | undefined {
  const deciding = keys.filter(({ constant }) => constant !== true)
  if (deciding.length > wordsMax) return undefined
  const words = deciding.flatMap(({ sql: value, numbers, descending }) =>
    numbers ? [wordOf(sql`${typed[numbers]}(${value})`, numbers, descending)] : [],
  )
  return words.length < deciding.length ? undefined : packed(words)
}

/** Whether all rows have one value. */
function isAlike(keys: readonly OrderKey[]): boolean {
  return keys.every(({ constant, sql: { text } }) => constant === true && text === keys[0]?.sql.text)
}

/** What the numbers of all leaves are; undefined of texts, and of numbers that are compared as doubles and then as what they are. */
function kindOf(keys: readonly OrderKey[]): OrderKey['numbers'] {
  const kind = keys[0]?.numbers
  return keys.every(({ numbers }) => numbers === kind) ? kind : undefined
}

const typed = { signed: sql`toInt64`, unsigned: sql`toUInt64`, double: sql`toFloat64` } as const

/** A number of 64 bits that ascends in the order of a criterion. */
function wordOf(value: Sql, kind: NonNullable<OrderKey['numbers']>, descending: boolean): Sql {
  const sign = num(2n ** 63n)
  // Zero is one number, whichever its sign.
  const bits = sql`reinterpretAsUInt64(${value} + toFloat64(0))`
  const ascends = {
    signed: sql`bitXor(reinterpretAsUInt64(${value}), ${sign})`,
    unsigned: value,
    double: sql`if(${value} < 0, bitNot(${bits}), bitXor(${bits}, ${sign}))`,
  }[kind]
  return descending ? sql`bitNot(${ascends})` : ascends
}

/** Words as one number, the first the most significant. */
function packed(words: readonly Sql[]): Sql {
  const [only] = words
  if (words.length === 1 && only) return only
  const type = words.length === 2 ? sql`toUInt128` : sql`toUInt256`
  const [first = sql`0`, ...others] = words.map((word, at) => {
    const shift = 64 * (words.length - 1 - at)
    return shift === 0 ? sql`${type}(${word})` : sql`bitShiftLeft(${type}(${word}), ${num(shift)})`
  })
  return others.reduce((all, word) => sql`bitOr(${all}, ${word})`, first)
}

/** A criterion as values that ascend: doubles with the exact number beside them, texts as digits, which can be turned round. */
function ascending({ descending, missingFirst, keys }: FirstBy, project: Project): Sql[] {
  const columns = (of: (key: OrderKey) => Sql) => project('o', keys.map(of))
  const turned = descending ? sql`-` : sql``
  if (keys.every(({ kind }) => kind === 'number')) {
    const exact = ({ sql: value }: OrderKey) => sql`if(isFinite(toFloat64(${value})), toInt128(${value}), toInt128(0))`
    return [columns((key) => sql`${turned}toFloat64(${key.sql})`), columns((key) => sql`${turned}${exact(key)}`)]
  }
  const comesLast = missingFirst ? sql`isNotNull` : sql`isNull`
  const digits = ({ sql: value, kind }: OrderKey) =>
    kind === 'number' ? sql`hex(toString(${value}))` : sql`ifNull(hex(${value}), '')`
  const text = (key: OrderKey) =>
    descending ? sql`concat(translate(${digits(key)}, '0123456789ABCDEF', 'FEDCBA9876543210'), 'Z')` : digits(key)
  return [columns((key) => sql`toUInt8(${comesLast}(${key.sql}))`), columns(text)]
}
