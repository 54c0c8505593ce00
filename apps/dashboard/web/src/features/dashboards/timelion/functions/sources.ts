import { type FitMode, fitModes, fitPoints } from '../language/fit.ts'
import type { Given, Parameter } from '../language/given.ts'
import { limits } from '../language/limits.ts'
import { type Point, plainSeries, type Series } from '../language/series.ts'
import { boundBuckets, type Offset, readInterval, readOffset, type TimeFrame } from '../language/time-frame.ts'
import { TimelionError } from '../language/tree.ts'
import { readMetric, readSplit } from '../search/question.ts'
import { defineSource, type TimelionFunction } from './define.ts'

// Every data source takes these, after its own.
const shared = ['offset', 'fit']

const esParameters: readonly (string | Parameter)[] = [
  'q…',
  'metric…',
  'split…',
  'index',
  'timefield',
  { name: 'kibana', aliases: ['opensearchDashboards'] },
  'interval',
  ...shared,
]

const es = defineSource(
  'es',
  { aliases: ['elasticsearch', 'opensearch'], parameters: esParameters },
  async (given, { frame, ask }) => {
    const offset = offsetOf(given, frame)
    const saved = given.text('interval')
    const interval = saved === undefined || saved === 'auto' ? frame.interval : readInterval(saved)
    boundBuckets(frame.range.toMs - frame.range.fromMs, interval)
    const series = await ask({
      index: given.text('index') ?? '*',
      timeField: given.text('timefield'),
      queries: orElse(given.texts('q'), '*'),
      splits: given.texts('split').map(readSplit),
      metrics: orElse(given.texts('metric'), 'count').map(readMetric),
      interval,
      range: offset ? { fromMs: offset.there(frame.range.fromMs), toMs: offset.there(frame.range.toMs) } : frame.range,
      isInDashboard: given.truth('kibana') ?? true,
    })
    return fitted(series, given, frame, 'nearest')
  },
)

function orElse(texts: readonly string[], absent: string): readonly string[] {
  return texts.length === 0 ? [absent] : texts
}

const fixed = defineSource(
  'static',
  { aliases: ['value'], parameters: ['value', 'label', ...shared] },
  (given, { frame }) => {
    const value = given.neededText('value')
    const values = value.split(':')
    if (values.length > limits.buckets)
      throw new TimelionError(`.static() is given ${values.length} values: at most ${limits.buckets} are drawn`)
    const numbers = values.map(Number)
    if (value.trim() === '' || numbers.some((one) => !Number.isFinite(one)))
      throw new TimelionError(
        `“value” of .static() must be a number, or several with colons between them, not “${value}”`,
      )
    return fitted([plainSeries(given.text('label') ?? value, spread(numbers, frame))], given, frame, 'average')
  },
)

/** One value for all moments; several evenly from the first to the last. */
function spread(values: readonly number[], { instants }: TimeFrame): Point[] {
  const [single] = values
  if (values.length === 1) return instants.map((ms) => [ms, single ?? null])
  const [first = 0, last = 0] = [instants[0], instants.at(-1)]
  const step = (last - first) / (values.length - 1)
  return values.map((value, at) => [at === values.length - 1 ? last : first + at * step, value])
}

function offsetOf(given: Given, { range }: TimeFrame): Offset | undefined {
  const saved = given.text('offset')
  return saved === undefined ? undefined : readOffset(saved, range)
}

/** Series at the moments of the chart, and those of another time as if they were of this one. */
function fitted(series: readonly Series[], given: Given, frame: TimeFrame, otherwise: FitMode): Series[] {
  const offset = offsetOf(given, frame)
  const mode = given.choice('fit', fitModes) ?? otherwise
  const last = frame.instants.at(-1) ?? 0
  // Search begins a bucket with the end of a range that ends with one.
  const isWithin = ([ms]: Point): boolean => ms <= last || ms < frame.range.toMs
  return series.map((one) => {
    const moved = offset ? one.points.map(([ms, value]): Point => [offset.back(ms), value]) : one.points
    const points = moved.filter(isWithin)
    return { ...one, points: fitPoints(points, frame.instants, mode) }
  })
}

/** A data source of Kibana that asks a service elsewhere. */
function defineElsewhere(name: string, service: string, aliases: readonly string[] = []): TimelionFunction {
  return defineSource(name, { aliases, takesOthers: true, parameters: ['code', 'position', ...shared] }, () => {
    throw new TimelionError(`.${name}() asks ${service}, which is elsewhere: only searches are allowed here`)
  })
}

/** What begins a chain. */
export const sources: readonly TimelionFunction[] = [
  es,
  fixed,
  defineElsewhere('graphite', 'a Graphite server'),
  defineElsewhere('quandl', 'quandl.com'),
  defineElsewhere('worldbank', 'data.worldbank.org', ['wb']),
  defineElsewhere('worldbank_indicators', 'data.worldbank.org', ['wbi']),
]
