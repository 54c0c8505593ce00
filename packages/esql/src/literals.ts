import type { Literal } from './ast.ts'

/** Whether values may stand in one list: texts, truths or numbers. */
export function areAlike(values: readonly Literal[]): boolean {
  const kinds = new Set(
    values.map((value) => (value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value)),
  )
  return kinds.size === 1 && ['string', 'number', 'boolean'].includes([...kinds][0] ?? '')
}

/** What a value is called in messages. */
export function typeOf(value: Literal | undefined): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return typeOf((value as readonly Literal[])[0])
  if (typeof value === 'bigint')
    return value >= -(2n ** 31n) && value < 2n ** 31n ? 'integer' : value < 2n ** 63n ? 'long' : 'unsigned_long'
  if (typeof value === 'number') return 'double'
  return typeof value === 'boolean' ? 'boolean' : 'keyword'
}

/** Whole numbers beyond 64 bits are doubles. */
export function readWhole(text: string): Literal {
  const value = BigInt(text)
  return value < 2n ** 64n ? value : Number(text)
}
