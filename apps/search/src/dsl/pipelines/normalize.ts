import { z } from 'zod'
import { definePipeline } from './define-pipeline.ts'
import { format, onePath, pathOf, simpleValue, valuesOf } from './shapes.ts'

/** Looks at all values once, then at each. */
type Method = (values: readonly number[]) => (value: number) => number

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const rescaled =
  (scale: number): Method =>
  (values) => {
    const low = Math.min(...values)
    const span = Math.max(...values) - low
    return (value) => (scale * (value - low)) / span
  }

const methods: Readonly<Record<(typeof methodNames)[number], Method>> = {
  rescale_0_1: rescaled(1),
  rescale_0_100: rescaled(100),
  percent_of_sum(values) {
    const sum = total(values)
    return (value) => value / sum
  },
  mean(values) {
    const mean = total(values) / values.length
    const span = Math.max(...values) - Math.min(...values)
    return (value) => (value - mean) / span
  },
  'z-score'(values) {
    const mean = total(values) / values.length
    const deviation = Math.sqrt(total(values.map((value) => (value - mean) ** 2)) / values.length)
    return (value) => (value - mean) / deviation
  },
  softmax(values) {
    const sum = total(values.map(Math.exp))
    return (value) => Math.exp(value) / sum
  },
}
const methodNames = ['rescale_0_1', 'rescale_0_100', 'percent_of_sum', 'mean', 'z-score', 'softmax'] as const

/** `normalize`: each bucket's value in proportion to those of all. */
export const normalize = definePipeline({
  name: 'normalize',
  place: 'parent',
  sequential: false,
  typedName: 'simple_value',
  schema: z.strictObject({ buckets_path: onePath.optional(), method: z.enum(methodNames), format }),
  paths: ({ buckets_path: paths }) => [pathOf(paths, 'normalize')],
  run({ buckets_path: paths, method }, buckets, { name, put }) {
    const values = valuesOf(buckets, pathOf(paths, name), undefined)
    const compute = methods[method](values.filter((value) => !Number.isNaN(value)))
    return buckets.map((bucket, at) => put(bucket, simpleValue(compute(values[at] ?? Number.NaN))))
  },
})
