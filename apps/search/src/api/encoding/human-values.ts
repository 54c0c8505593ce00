import type { JsonText } from '../../json/json-text.ts'

const byteSteps = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'] as const
const timeSteps = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const

function readableBytes(bytes: number): string {
  let at = 0
  let amount = bytes
  for (; amount >= 1024 && at < byteSteps.length - 1; at++) amount /= 1024
  return `${at === 0 ? bytes : Math.floor(amount * 10) / 10}${byteSteps[at]}`
}

/** Milliseconds as people read them: `1.5d`. */
export function readableTime(ms: number): string {
  if (ms === 0) return '0s'
  const [size, unit] = timeSteps.find(([least]) => ms >= least) ?? [1, 'ms']
  return `${Math.floor((ms / size) * 10) / 10}${unit}`
}

const suffixes: readonly (readonly [suffix: string, show: (value: number) => string])[] = [
  ['_in_bytes', readableBytes],
  ['_in_millis', readableTime],
  ['_in_nanos', (nanos) => readableTime(Math.round(nanos / 1e6))],
]

/** Sizes that Elasticsearch names by another rule. */
const otherSizes = new Set(['store_size_bytes', 'total_store_size_bytes'])

/** Moments, whose readable form is a date. */
const moments = new Set([
  'start_time_in_millis',
  'stop_time_in_millis',
  'issue_date_in_millis',
  'expiry_date_in_millis',
])

/** The readable form of a member of an answer, under the name without its unit; undefined when it has none. */
function readable(name: string, value: JsonText): readonly [string, JsonText] | undefined {
  const found = otherSizes.has(name)
    ? (['_bytes', readableBytes] as const)
    : suffixes.find(([suffix]) => name.endsWith(suffix))
  if (!found || value.kind !== 'scalar' || !/^-?\d+$/.test(value.text)) return undefined
  const [suffix, show] = found
  const number = Number(value.text)
  const text = moments.has(name) ? new Date(number).toISOString() : show(number)
  return [name.slice(0, -suffix.length), { kind: 'scalar', text: JSON.stringify(text) }]
}

/** An answer with sizes and times also as people read them, for `human`: `size` beside `size_in_bytes`. */
export function withHumanValues(node: JsonText): JsonText {
  if (node.kind === 'scalar') return node
  if (node.kind === 'array') return { ...node, items: node.items.map(withHumanValues) }
  const names = new Set(node.entries.map(([name]) => name))
  const entries = node.entries.flatMap(([name, value]): (readonly [string, JsonText])[] => {
    const extra = readable(name, value)
    const own = [name, withHumanValues(value)] as const
    if (!extra || names.has(extra[0])) return [own]
    // Elasticsearch's own name for the time of gets, beside the one that follows its rule.
    const byOldName = name === 'time_in_millis' && names.has('exists_time_in_millis')
    return byOldName ? [['getTime', extra[1]], extra, own] : [extra, own]
  })
  return { ...node, entries }
}
