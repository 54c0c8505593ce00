import { numericTypes } from '../../../fields/numeric-types.ts'
import type { TableRequest } from './table.ts'

const barsUsual = 50
const steps = [1, 2, 2.5, 5, 10]

/** The smallest round width (1, 2, 2.5 or 5 times a power of ten) with which a span takes at most so many bars; whole for whole numbers. */
export function numberInterval(
  span: number,
  options: { readonly barsMax?: number | undefined; readonly whole: boolean },
) {
  const least = span / Math.max(1, options.barsMax ?? barsUsual)
  if (!(least > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const found = (steps.find((step) => step * power >= least) ?? 10) * power
  return options.whole ? Math.max(1, Math.ceil(found)) : Number(found.toPrecision(6))
}

/** The fields whose least and greatest value must be known before a request can be made. */
export function unsettledFields({ buckets }: TableRequest): string[] {
  return buckets.flatMap((bucket) =>
    bucket.type === 'histogram' && bucket.interval === undefined ? [bucket.field] : [],
  )
}

/** The request with every width settled; `spanOf` says how far a field's values reach. */
export function withIntervals(
  request: TableRequest,
  spanOf: (field: string) => number,
  types: ReadonlyMap<string, string>,
): TableRequest {
  const buckets = request.buckets.map((bucket) => {
    if (bucket.type !== 'histogram' || bucket.interval !== undefined) return bucket
    const type = types.get(bucket.field) ?? ''
    const whole = numericTypes.has(type) && !/float|double/.test(type)
    return { ...bucket, interval: numberInterval(spanOf(bucket.field), { barsMax: bucket.barsMax, whole }) }
  })
  return { ...request, buckets }
}
