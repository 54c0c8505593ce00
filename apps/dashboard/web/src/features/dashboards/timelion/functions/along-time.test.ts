import { expect, test } from 'vitest'
import { seriesOfExpression, valuesOfExpression } from '../testing.ts'

test.each([
  ['.static(1:2:3:4).cusum()', [1, 3, 6, 10]],
  ['.static(1:2:3:4).cusum(10)', [11, 13, 16, 20]],
  ['.static(1:4:9:16).derivative()', [null, 3, 5, 7]],
  ['.static(1:2:3:4).trim()', [null, 2, 3, null]],
  ['.static(1:2:3:4).trim(start=2, end=0)', [null, null, 3, 4]],
  ['.static(1:2:3:4).trim(1000000000)', [null, null, null, null]],
  ['.static(60:120:180:240).scale_interval(1s)', [1, 2, 3, 4]],
  ['.static(60:120:180:240).scale_interval(1h)', [3600, 7200, 10800, 14400]],
  ['.static(1:2:3:4).if(eq, 2, null).fit(carry)', [1, 1, 3, 4]],
  ['.static(1:2:3:4).if(eq, 2, null).fit(nearest)', [1, 3, 3, 4]],
  ['.static(1:2:3:4).if(eq, 2, null).fit(average)', [1, 2, 3, 4]],
  ['.static(1:2:3:4).if(eq, 2, null).fit(scale)', [1, 1.5, 1.5, 4]],
  ['.static(1:2:3:4).if(gt, 0, null).fit(carry)', [null, null, null, null]],
])('%s', async (expression, values) => {
  expect(await valuesOfExpression(expression)).toEqual([values])
})

test('means of a window in the middle, at the left and at the right', async () => {
  expect(await valuesOfExpression('.static(1:2:3:4).mvavg(3)')).toEqual([[null, 2, 3, null]])
  expect(await valuesOfExpression('.static(1:2:3:4).movingaverage(3, left)')).toEqual([[null, null, 2, 3]])
  expect(await valuesOfExpression('.static(1:2:3:4).mvavg(window=3, position=right)')).toEqual([[2, 3, null, null]])
  expect(await valuesOfExpression('.static(1:2:3:4).mvavg(2m)')).toEqual([[null, 1.5, 2.5, 3.5]])
  const [series] = await seriesOfExpression('.static(1:2:3:4, load).mvavg(3)')
  expect(series?.label).toBe('load mvavg=3')
})

test('deviations of a window, also of large numbers that differ little', async () => {
  const [found = []] = await valuesOfExpression('.static(1:2:4:8).mvstd(2)')
  expect(found.map((value) => value?.toFixed(6))).toEqual([undefined, undefined, '0.707107', '1.414214'])
  const [large = []] = await valuesOfExpression('.static(1:2:4:8).sum(1000000000).movingstd(2, right)')
  expect(large.map((value) => value?.toFixed(6))).toEqual(['0.707107', '1.414214', undefined, undefined])
})

test('a window beyond the series leaves gaps, however large it is', async () => {
  const nothing = [[null, null, null, null]]
  expect(await valuesOfExpression('.static(1:2:3:4).mvavg(1000000000)')).toEqual(nothing)
  expect(await valuesOfExpression('.static(1:2:3:4).mvstd(1e15)')).toEqual(nothing)
  await expect(seriesOfExpression('.static(1).mvavg(0)')).rejects.toThrow('The window “0” has no points')
})

test('a trend is the line of least squares between two places', async () => {
  const rounded = async (expression: string): Promise<(number | null)[] | undefined> =>
    (await valuesOfExpression(expression))[0]?.map((value) => (value === null ? null : Number(value.toFixed(6))))
  expect(await rounded('.static(1:3:5:7).trend()')).toEqual([1, 3, 5, 7])
  // By hand: the mean is 2.5, the gradient 0.6 a minute.
  expect(await rounded('.static(1:3:3:3).trend(linear)')).toEqual([1.6, 2.2, 2.8, 3.4])
  expect(await rounded('.static(1:3:3:3).trend(linear, start=1, end=-1)')).toEqual([null, 3, 3, null])
  expect(await rounded('.static(9:9:2:3).trend(start=-2)')).toEqual([null, null, 2, 3])
  expect(await rounded('.static(4).trend(log)')).toEqual([4, 4, 4, 4])
  // Over a few minutes of fifty years a logarithm is a line.
  expect(await rounded('.static(1:3:5:7).trend(log)')).toEqual([1, 3, 5, 7])
  expect(await rounded('.static(1:3:5:7).if(eq, 5, null).trend()')).toEqual([1, 3, 5, 7])
  expect(await rounded('.static(1).if(eq, 1, null).trend()')).toEqual([null, null, null, null])
})

test('exponential smoothing of a level, of a trend and of a season', async () => {
  expect(await valuesOfExpression('.static(1:2:3:4).holt(0.5)')).toEqual([[1, 1.5, 2.25, 3.125]])
  expect(await valuesOfExpression('.static(1:2:4:8).holt(alpha=0.5, beta=0.5)')).toEqual([[1, 2, 3.5, 6.375]])
  const [season = []] = await valuesOfExpression('.static(10:20:10:20:10:20:10:20).holt(0.5, 0.5, 0.5, 2m)', 8)
  expect(season.slice(0, 3)).toEqual([10, 20, 11.25])
  // After two seasons the rest is forecast: level and trend stay as they were.
  const [forecast = []] = await valuesOfExpression('.static(10:20:10:20:10:20:10:20).holt(0.5, 0.5, 0.5, 2m, 2)', 8)
  const [a = 0, b = 0, c = 0, d = 0] = forecast.slice(4).map(Number)
  expect(c - a).toBeCloseTo(d - b, 9)
})

test('smoothing puts forecasts into gaps', async () => {
  expect(await valuesOfExpression('.static(1:2:0:4).if(eq, 0, null).holt(0.5)')).toEqual([[1, 1.5, 1.75, 2.875]])
  expect(await valuesOfExpression('.static(1:2:0:4).if(eq, 0, null).holt(0.5, 0.5)')).toEqual([[1, 2, 3, 3.5]])
  for (const more of ['', ', 0.5', ', 0.5, 0.5, 1m'])
    expect(await valuesOfExpression(`.static(1).if(eq, 1, null).holt(0.5${more})`)).toEqual([[null, null, null, null]])
})

test('smoothing says what it cannot work with', async () => {
  await expect(seriesOfExpression('.static(1).holt()')).rejects.toThrow('.holt() needs “alpha”')
  await expect(seriesOfExpression('.static(1).holt(1, 1, 1)')).rejects.toThrow('needs a “season”')
  await expect(seriesOfExpression('.static(1).holt(1, 1, 1, 1000y)')).rejects.toThrow('does not fit twice into the 4')
  await expect(seriesOfExpression('.static(1:0:0:0).if(eq, 0, null).holt(1, 1)')).rejects.toThrow('at least 2 values')
})
