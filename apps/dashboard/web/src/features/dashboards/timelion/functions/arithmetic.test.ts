import { expect, test } from 'vitest'
import { evaluateTimelion } from '../evaluate.ts'
import { chartOf, minutely, seriesOfExpression, valuesOfExpression } from '../testing.ts'

// `.static(1:2:3:4)` has these values at the four moments of a chart.
test.each([
  ['.static(1:2:3:4).multiply(2)', [2, 4, 6, 8]],
  ['.static(1:2:3:4).subtract(.static(1))', [0, 1, 2, 3]],
  ['.static(1:2:3:4).divide(.static(4:3:2:1))', [0.25, 2 / 3, 1.5, 4]],
  ['.static(1:2:3:4).sum(10)', [11, 12, 13, 14]],
  ['.static(1:2:3:4).add(.static(4:3:2:1))', [5, 5, 5, 5]],
  ['.static(1:2:3:4).plus(term=-1)', [0, 1, 2, 3]],
  ['.static(1:2:3:4).max(3)', [3, 3, 3, 4]],
  ['.static(1:2:3:4).min(.static(4:3:2:1))', [1, 2, 2, 1]],
  ['.static(-1:2:-3:4).abs()', [1, 2, 3, 4]],
  ['.static(1:10:100:1000).log()', [0, 1, 2, 3]],
  ['.static(1:2:4:8).log(2)', [0, 1, 2, 3]],
  ['.static(1.29:-1.29:0:7).precision(1)', [1.2, -1.2, 0, 7]],
  ['.static(1:2:3:5).range(0, 100)', [0, 25, 50, 100]],
  ['.static(7).range(3, 9)', [3, 3, 3, 3]],
])('%s', async (expression, values) => {
  const [found = []] = await valuesOfExpression(expression)
  expect(found.map((value) => Number(value?.toFixed(9)))).toEqual(values.map((value) => Number(value.toFixed(9))))
})

test('what is no number is a gap, and a gap stays one', async () => {
  expect(await valuesOfExpression('.static(1:0:3:4).divide(.static(0:0:1:2))')).toEqual([[null, null, 3, 2]])
  expect(await valuesOfExpression('.static(1:0:-1:10).log()')).toEqual([[0, null, null, 1]])
  expect(await valuesOfExpression('.static(1:2:3:4).if(eq, 2, null).sum(1)')).toEqual([[2, null, 4, 5]])
})

test.each([
  ['avg', 2.5],
  ['cardinality', 4],
  ['first', 1],
  ['last', 4],
  ['max', 4],
  ['min', 1],
  ['sum', 10],
])('aggregate(%s) is one value for all moments', async (name, value) => {
  expect(await valuesOfExpression(`.static(1:2:3:4).aggregate(${name})`)).toEqual([Array(4).fill(value)])
})

test('without an operand all series become one', async () => {
  expect(await valuesOfExpression('(.static(1), .static(2), .static(4)).sum()')).toEqual([[7, 7, 7, 7]])
  expect(await valuesOfExpression('(.static(1), .static(2), .static(4)).subtract()')).toEqual([[-5, -5, -5, -5]])
})

test('a number and a series hold for each series of a list', async () => {
  expect(await valuesOfExpression('(.static(1), .static(2)).multiply(3)')).toEqual([Array(4).fill(3), Array(4).fill(6)])
  expect(await valuesOfExpression('(.static(1), .static(2)).sum(.static(1))')).toEqual([
    Array(4).fill(2),
    Array(4).fill(3),
  ])
})

test('lists are calculated series by series: of the same label, or of the same split', async () => {
  const found = await seriesOfExpression('(.static(10, a), .static(20, b)).divide((.static(5, b), .static(2, a)))')
  expect(found.map(({ label, points }) => [label, points[0]?.[1]])).toEqual([
    ['a', 5],
    ['b', 4],
  ])
  const hosts = [minutely('q:* > host:x > count', [6, 8], 'x'), minutely('q:* > host:y > count', [9, 3], 'y')]
  const ratio = await evaluateTimelion('.es(split=host:2).divide(.es(split=host:2).label(z).sum(0))', chartOf(2, hosts))
  expect(ratio.map(({ label, points }) => [label, points.map(([, value]) => value)])).toEqual([
    ['x', [1, 1]],
    ['y', [1, 1]],
  ])
  await expect(
    seriesOfExpression('(.static(1, a), .static(2, b)).sum((.static(1, a), .static(2, c)))'),
  ).rejects.toThrow('No series “b” is there to calculate with')
  await expect(seriesOfExpression('.static(1).sum((.static(1, a), .static(2, c)))')).rejects.toThrow(
    '1 series cannot be calculated with 2: as many, or one, are needed',
  )
})

test('what a condition sets', async () => {
  expect(await valuesOfExpression('.static(1:2:3:4).if(gt, 2, 0)')).toEqual([[1, 2, 0, 0]])
  expect(await valuesOfExpression('.static(1:2:3:4).condition(lte, 2, 10, 20)')).toEqual([[10, 10, 20, 20]])
  expect(await valuesOfExpression('.static(1:2:3:4).if(ne, 2, null)')).toEqual([[null, 2, null, null]])
  expect(await valuesOfExpression('.static(1:2:3:4).if(lt, .static(2), .static(9), .static(8:7:6:5))')).toEqual([
    [9, 7, 6, 5],
  ])
  expect(await valuesOfExpression('.static(1:0:3:4).if(eq, 0, null).if(eq, null, 5)')).toEqual([[1, 5, 3, 4]])
  expect(await valuesOfExpression('.static(1:2:3:4).if(gte, 4, 0).if(eq, 1, 9)')).toEqual([[9, 2, 3, 0]])
  await expect(seriesOfExpression('.static(1).if(over, 2, 0)')).rejects.toThrow(
    '“operator” of .if() must be one of eq, ne, lt, lte, gt, gte, not “over”',
  )
})
