import { jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { namedRamp } from './ramp.ts'

/** The least and the greatest value that a palette of percentages spans. */
export interface PaletteSpan {
  readonly min: number
  readonly max: number
}

/** The colour of a number by a Lens palette: that of the first stop at or above it. A palette without stops of its own has its steps evenly. */
export function paletteColor(palette: unknown, value: number, { min, max }: PaletteSpan): string | undefined {
  const { name, params: saved } = jsonObject(palette)
  const params = jsonObject(saved)
  const own = jsonArray(params['stops']).flatMap(({ color, stop }) => {
    const found = text(color)
    return found ? [{ color: found, stop: number(stop) ?? Number.POSITIVE_INFINITY }] : []
  })
  const ramp = namedRamp(text(name), params['reverse'] === true)
  const stops = own.length > 0 ? own : ramp.map((color, at) => ({ color, stop: (100 * (at + 1)) / ramp.length }))
  const isShare = own.length === 0 || params['rangeType'] !== 'number'
  const at = isShare ? (max > min ? (100 * (value - min)) / (max - min) : 100) : value
  if (isOutside(at, params, own.length > 0)) return undefined
  return (stops.find(({ stop }) => at <= stop) ?? stops.at(-1))?.color
}

/** Beyond its ends a palette may have no colour. */
function isOutside(at: number, params: ReturnType<typeof jsonObject>, hasOwn: boolean): boolean {
  const continuity = text(params['continuity']) ?? 'all'
  const [least, most] = [number(params['rangeMin']), number(params['rangeMax'])]
  if (!hasOwn) return false
  const isBelow = least !== undefined && at < least && (continuity === 'above' || continuity === 'none')
  const isAbove = most !== undefined && at > most && (continuity === 'below' || continuity === 'none')
  return isBelow || isAbove
}
