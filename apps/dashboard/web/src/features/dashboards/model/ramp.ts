import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'

// Exports name their ramps without the colours; these are ours, readable on both backgrounds.
const ramps: Readonly<Record<string, readonly string[]>> = {
  sequential: ['#d3e6ee', '#9cc8db', '#64abc8', '#2f93bb', '#1d6f90'],
  green: ['#d6e9e4', '#aed3ca', '#85bdb1', '#5aa898', '#209280'],
  red: ['#f5d9df', '#eab4c0', '#dd8fa0', '#d2798c', '#c75a72'],
  status: ['#4ea674', '#b7a22e', '#e08e2b', '#c75a72'],
  grey: ['#e3e8ed', '#c3ccd6', '#94a3b4', '#5b6877', '#3a4759'],
}

const rampNames: Readonly<Record<string, keyof typeof ramps>> = {
  positive: 'green',
  greens: 'green',
  negative: 'red',
  reds: 'red',
  'yellow to red': 'red',
  status: 'status',
  temperature: 'status',
  complementary: 'status',
  'green to red': 'status',
  gray: 'grey',
  greys: 'grey',
  warm: 'red',
}

/** The colours of a named ramp, from low to high. */
export function namedRamp(name: string | undefined, inverted = false): readonly string[] {
  const ramp = ramps[rampNames[name?.toLowerCase() ?? ''] ?? 'sequential'] ?? []
  return inverted ? [...ramp].reverse() : ramp
}

/** The colours of a Lens palette: its own stops where it has them. */
export function paletteRamp(palette: unknown): readonly string[] {
  const { name, params } = jsonObject(palette)
  const own = jsonArray(jsonObject(params)['stops']).flatMap(({ color }) => text(color) ?? [])
  return own.length > 0 ? own : namedRamp(text(name), jsonObject(params)['reverse'] === true)
}

/** A value's limits with the colour below each, as gauges show them. */
export interface ColorRange {
  readonly from: number
  readonly to: number
  readonly color: string
}

/** The saved ranges of a legacy visualization with the colours of its ramp. */
export function colorRanges(look: Json): ColorRange[] {
  const ramp = namedRamp(text(look['colorSchema']), look['invertColors'] === true)
  const ranges = jsonArray(look['colorsRange'])
  return ranges.map((range, at) => {
    const step = ranges.length > 1 ? Math.round((at * (ramp.length - 1)) / (ranges.length - 1)) : 0
    return { from: number(range['from']) ?? 0, to: number(range['to']) ?? 0, color: ramp[step] ?? '' }
  })
}

/** A value as a share of where the ranges of a legacy visualization end, where it says so. */
export function inPercent(value: number, look: Json): string | undefined {
  if (look['percentageMode'] !== true) return undefined
  const ranges = jsonArray(look['colorsRange'])
  const [min, max] = [number(ranges[0]?.['from']) ?? 0, number(ranges.at(-1)?.['to']) ?? 100]
  return max > min ? `${Math.round((100 * (value - min)) / (max - min))}%` : undefined
}
