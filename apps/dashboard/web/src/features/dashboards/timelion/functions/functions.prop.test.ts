import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartTheme } from '../../../../charts/palette.ts'
import { axesOf } from '../draw/axes.ts'
import { timelionOption } from '../draw/option.ts'
import { timelionTable } from '../draw/table.ts'
import { evaluateTimelion } from '../evaluate.ts'
import type { Series } from '../language/series.ts'
import { TimelionError } from '../language/tree.ts'
import { chartOf, minutely } from '../testing.ts'
import { timelionFunctions } from './index.ts'

const literal = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '2',
    '1e308',
    '-0.5',
    '1e15',
    'true',
    'false',
    'null',
    "''",
    '1m',
    '1M',
    'left',
    'linear',
    'ne',
  ),
  fc.constantFrom(
    '#fff:#000',
    'currency:XYZ',
    'percent',
    'custom',
    'avg',
    'carry',
    'average',
    'scale',
    'gt',
    'eq',
    'x',
    '(.static(3))',
  ),
  fc.constantFrom('.static(1:2)', '.es()', '(.es(), .static(0))'),
)
const call = fc.constantFrom(...timelionFunctions.values()).chain(({ name, parameters }) =>
  fc
    .array(fc.tuple(fc.option(fc.constantFrom(...parameters.map((one) => one.name), 'other')), literal), {
      maxLength: 5,
    })
    .map(
      (given) => `.${name}(${given.map(([named, value]) => (named === null ? value : `${named}=${value}`)).join()})`,
    ),
)
const chain = fc
  .tuple(fc.constantFrom('.es()', '.static(1:0:-3)', '(.es(), .static(7, b))'), fc.array(call, { maxLength: 4 }))
  .map(([source, calls]) => source + calls.join(''))

async function outcomeOf(expression: string): Promise<readonly Series[] | TimelionError> {
  const answer = [minutely('q:* > host:a > count', [1, null, 0, -4], 'a'), minutely('q:* > host:b > count', [], 'b')]
  try {
    return await evaluateTimelion(expression, chartOf(4, answer))
  } catch (thrown) {
    if (thrown instanceof TimelionError) return thrown
    throw thrown
  }
}

test('whatever is called with whatever makes numbers and gaps that can be drawn, or is refused in words', async () => {
  let drawn = 0
  await fc.assert(
    fc.asyncProperty(chain, async (expression) => {
      const outcome = await outcomeOf(expression)
      if (outcome instanceof TimelionError) return
      drawn++
      for (const { points } of outcome)
        expect(points.every(([ms, value]) => Number.isFinite(ms) && (value === null || Number.isFinite(value)))).toBe(
          true,
        )
      const chart = { series: outcome, axes: axesOf(outcome), range: chartOf(4).frame.range }
      const { yAxis } = timelionOption(chart, chartTheme('dark')) as {
        yAxis: { axisLabel: { formatter(value: number): string } }[]
      }
      for (const { axisLabel } of yAxis) expect(typeof axisLabel.formatter(-1.5)).toBe('string')
      timelionTable(outcome, 'Time')
    }),
    { numRuns: 1_000 },
  )
  expect(drawn).toBeGreaterThan(0)
})
