import { rampColor } from '../../draw/ramp-color.ts'
import type { Look, Series } from '../language/series.ts'
import { TimelionError } from '../language/tree.ts'
import { defineChainable, type TimelionFunction } from './define.ts'
import { readColor } from './read-color.ts'

const withLook = (series: readonly Series[], look: (one: Look) => Look): Series[] =>
  series.map((one) => ({ ...one, look: { ...one.look, ...look(one.look) } }))

const defaultBarPx = 6

const bars = defineChainable('bars', { parameters: ['width', 'stack'] }, (series, given) => {
  const width = given.number('width')
  return withLook(series, () => ({
    bars: { show: width !== 0, widthPx: width ?? defaultBarPx },
    isStacked: given.truth('stack') ?? true,
  }))
})

const lines = defineChainable('lines', { parameters: ['width', 'fill', 'stack', 'show', 'steps'] }, (series, given) => {
  const fill = given.number('fill')
  return withLook(series, ({ lines: before = {}, isStacked = false }) => ({
    isStacked: given.truth('stack') ?? isStacked,
    lines: {
      widthPx: given.number('width') ?? before.widthPx,
      fill: fill === undefined ? before.fill : share(fill),
      show: given.truth('show') ?? before.show,
      steps: given.truth('steps') ?? before.steps,
    },
  }))
})

/** Kibana's 0 to 10 as a share. */
function share(tenths: number): number {
  return Math.max(0, Math.min(1, tenths / 10))
}

/** The shapes of points, by their words in expressions. */
const pointSymbols = ['circle', 'cross', 'diamond', 'square', 'triangle'] as const

const points = defineChainable(
  'points',
  { parameters: ['radius', 'weight', 'fill', 'fillColor', 'symbol', 'show'] },
  (series, given) => {
    const fill = given.number('fill')
    const fillColor = given.text('fillColor')
    return withLook(series, () => ({
      points: {
        show: given.truth('show') ?? true,
        radiusPx: given.number('radius'),
        borderPx: given.number('weight'),
        fill: fill === undefined ? undefined : share(fill),
        fillColor: fillColor === undefined ? undefined : readColor(fillColor),
        symbol: given.choice('symbol', pointSymbols) ?? 'circle',
      },
    }))
  },
)

const color = defineChainable('color', { parameters: ['color'] }, (series, given) => {
  const stops = given.neededText('color').split(':').map(readColor)
  const last = Math.max(1, series.length - 1)
  return series.map((one, at) => ({
    ...one,
    look: { ...one.look, color: series.length === 1 ? stops[0] : rampColor(stops, at / last) },
  }))
})

const hide = defineChainable('hide', { parameters: ['hide'] }, (series, given) =>
  withLook(series, () => ({ isHidden: given.truth('hide') ?? true })),
)

const labelLettersMax = 1_000

const label = defineChainable('label', { parameters: ['label', 'regex'] }, async (series, given) => {
  const text = given.neededText('label')
  const pattern = given.text('regex')
  if (pattern === undefined)
    return series.map((one) => ({ ...one, label: text.replaceAll('%s', () => one.label).slice(0, labelLettersMax) }))
  // Large, and wanted by few.
  const { replaceFirst } = await import('./label-pattern.ts')
  const replaced = replaceFirst(pattern, text)
  return series.map((one) => ({
    ...one,
    label: replaced(one.label.slice(0, labelLettersMax)).slice(0, labelLettersMax),
  }))
})

/** What `.props()` sets, by the names that Kibana's charts have for it; others mean nothing here. */
const properties: Readonly<Record<string, (one: Series, value: unknown) => Series>> = {
  label: (one, value) => ({ ...one, label: String(value) }),
  color: (one, value) => looking(one, { color: readColor(String(value)) }),
  stack: (one, value) => looking(one, { isStacked: Boolean(value) }),
  yaxis: (one, value) => looking(one, { axis: Math.max(1, Math.trunc(Number(value)) || 1) }),
  _hide: (one, value) => looking(one, { isHidden: Boolean(value) }),
  'lines.show': (one, value) => looking(one, { lines: { ...one.look.lines, show: Boolean(value) } }),
  'lines.lineWidth': (one, value) => looking(one, { lines: { ...one.look.lines, widthPx: Number(value) || 0 } }),
  'lines.fill': (one, value) => looking(one, { lines: { ...one.look.lines, fill: share(10 * Number(value) || 0) } }),
  'lines.steps': (one, value) => looking(one, { lines: { ...one.look.lines, steps: Boolean(value) } }),
  'bars.show': (one, value) =>
    looking(one, { bars: { widthPx: defaultBarPx, ...one.look.bars, show: Boolean(value) } }),
  'bars.lineWidth': (one, value) =>
    looking(one, { bars: { show: true, ...one.look.bars, widthPx: Number(value) || defaultBarPx } }),
  'points.show': (one, value) =>
    looking(one, { points: { symbol: 'circle', ...one.look.points, show: Boolean(value) } }),
  'points.radius': (one, value) =>
    looking(one, { points: { symbol: 'circle', show: true, ...one.look.points, radiusPx: Number(value) || 1 } }),
}

function looking(one: Series, look: Look): Series {
  return { ...one, look: { ...one.look, ...look } }
}

const propsParameters = [{ name: 'global' }]
const props = defineChainable('props', { parameters: propsParameters, takesOthers: true }, (series, given) => {
  const set = given.others(propsParameters)
  for (const [name, value] of set)
    if (typeof value === 'object' && value !== null)
      throw new TimelionError(`“${name}” of .props() must be a word or a number, not series`)
  return series.map((one) => set.reduce((so, [name, value]) => properties[name]?.(so, value) ?? so, one))
})

/** What says how series look. */
export const look: readonly TimelionFunction[] = [bars, color, hide, label, lines, points, props]
