import { spanDigits } from '@logstack/rules'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import { list, num, type Sql, sql } from '../../sql/sql.ts'
import { tooManyBuckets } from '../bucket-limit.ts'
import type { KeyPart, RowField } from '../define-aggregation.ts'

const longMin = -9_223_372_036_854_775_808n
const longMax = 9_223_372_036_854_775_807n

/** Whether the field's values are ranges. */
export function holdsSpans(field: RowField): boolean {
  return field.field !== undefined && spanKindOf(field.field.wireType) !== undefined
}

/** The ranges of a row, as a list of texts. */
function spansOf(field: RowField): Sql {
  return field.many ? field.sql : sql`if(isNull(${field.sql}), [], [assumeNotNull(${field.sql})])`
}

/** The ends of a range of whole numbers or dates. */
function ends(span: Sql): { readonly low: Sql; readonly high: Sql } {
  const digits = spanDigits('long')
  const whole = (text: Sql) => sql`toInt64(toInt128(${text}) + toInt128('-9223372036854775808'))`
  return {
    low: whole(sql`substring(${span}, 1, ${num(digits)})`),
    high: whole(sql`substring(${span}, ${num(digits + 2)})`),
  }
}

/** The least and the greatest end of all ranges; ends that are open count as not there. */
export function outerEnds(field: RowField): readonly Sql[] {
  const lows = sql`arrayFilter(x -> x != ${num(longMin)}, arrayMap(s -> ${ends(sql`s`).low}, ${spansOf(field)}))`
  const highs = sql`arrayFilter(x -> x != ${num(longMax)}, arrayMap(s -> ${ends(sql`s`).high}, ${spansOf(field)}))`
  return [sql`minOrNullArray(arrayConcat(${lows}, ${highs}))`, sql`maxOrNullArray(arrayConcat(${lows}, ${highs}))`]
}

/** The starts of every bucket that a range reaches into, among buckets that go on from `from` up to `to`; no more than `bucketsMax`. */
export function spanKey(
  field: RowField,
  { from, to, bucketsMax }: { from: number | undefined; to: number | undefined; bucketsMax: number },
  steps: { floor(value: number): number; next(start: number): number },
  type: KeyPart['type'],
  raw: (start: number) => number = (start) => start,
): KeyPart {
  if (from === undefined || to === undefined) return { sql: sql`CAST([], 'Array(Int64)')`, many: true, type: 'long' }
  const starts: number[] = []
  for (let start = steps.floor(from); start <= to; start = steps.next(start)) {
    starts.push(start)
    if (starts.length > bucketsMax) throw tooManyBuckets(bucketsMax)
  }
  const nexts = starts.map((start) => num(steps.next(start)))
  const { low, high } = ends(sql`s`)
  const within = sql`arrayFilter((key, start, next) -> start <= ${high} AND next > ${low}, ${list(starts.map((start) => num(raw(start))))}, ${list(starts.map(num))}, ${list(nexts)})`
  return { sql: sql`arrayFlatten(arrayMap(s -> ${within}, ${spansOf(field)}))`, many: true, type }
}
