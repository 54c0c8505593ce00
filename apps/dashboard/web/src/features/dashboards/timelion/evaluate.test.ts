import { expect, test } from 'vitest'
import { evaluateTimelion } from './evaluate.ts'
import type { Series } from './language/series.ts'
import type { EsQuestion } from './search/question.ts'
import { chartOf, minutely, seriesOfExpression, startMs, valuesOfExpression } from './testing.ts'

test('the series of all chains, in their order', async () => {
  const found = await seriesOfExpression('.static(1, a), (.static(2, b), .static(3, c)).sum(1), .value(4, d)')
  expect(found.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd'])
})

test('one value for all moments, several evenly between the first and the last', async () => {
  expect(await valuesOfExpression('.static(5)')).toEqual([[5, 5, 5, 5]])
  expect(await valuesOfExpression('.static(0:6)')).toEqual([[0, 2, 4, 6]])
  expect((await seriesOfExpression('.static(0:6)'))[0]?.label).toBe('0:6')
  await expect(seriesOfExpression('.static(a:b)')).rejects.toThrow('“value” of .static() must be a number')
  await expect(seriesOfExpression('.static()')).rejects.toThrow('.static() needs “value”')
})

test('references and variables stand for the series they name', async () => {
  expect(await valuesOfExpression('.static(3), .static(4).multiply(@1:1)')).toEqual([
    Array(4).fill(3),
    Array(4).fill(12),
  ])
  expect(await valuesOfExpression('$x=.static(3), $f=2, ($x).multiply($f), $x')).toEqual([
    Array(4).fill(6),
    Array(4).fill(3),
  ])
})

test.each([
  ['.static(1), .static(1).sum(@1:2)', 'This refers to itself'],
  ['.static(1).sum(@1)', 'This refers to itself'],
  ['.static(1).sum(@1:7)', 'There are 1 chains: there is no @1:7'],
  ['.static(1).sum(@2:1)', 'A panel is the first sheet alone: there is no @2'],
  ['.static(1).sum("x")', '“term” of .sum() must be a number, not “x”'],
  ['.statik(1)', 'There is no function .statik(): did you mean .static()?\nat character 1: .statik(1)'],
  ['.static(1).Mvavg(1)', 'There is no function .Mvavg(): did you mean .mvavg()?'],
  ['.static(1).xylophone()', /There is no function \.xylophone\(\)\nat/],
  ['.static(1).static(2)', '.static() is a data source: a comma is missing before it\nat character 11: .static(2)'],
  ['.lines(1)', '.lines() has no series before it'],
  ['.static(.static(1))', '.static() is a data source: its arguments are no series'],
  ['.static(1).abs(1)', '.abs() does not know argument 1: it takes none'],
  [
    '.static(1).lines(thick=1)',
    '.lines() does not know the argument “thick”: it takes width, fill, stack, show, steps',
  ],
  ['.static(1).lines(width=1, width=2)', '.lines() is given “width” more than once'],
  ['.graphite(a.b)', '.graphite() asks a Graphite server, which is elsewhere'],
  ['.worldbank(code=x)', '.worldbank() asks data.worldbank.org'],
  ['.wbi(KR, SP.POP.TOTL)', '.worldbank_indicators() asks data.worldbank.org'],
  ['$a=5, $a', 'Expected series'],
])('%s is refused in words', async (expression, message) => {
  await expect(seriesOfExpression(expression)).rejects.toThrow(message)
})

test('a data source asks what it is told', async () => {
  const chart = chartOf(10)
  const call = `.es(q='a:1', q='b:2', metric=avg:x, metric='percentiles:y:5,95', split=host:3, split=user\\:name:2, index=logs-*,
    timefield=when, kibana=false, interval=5m, offset=-1h)`
  await evaluateTimelion(call, chart)
  const range = { fromMs: startMs - 3_600_000, toMs: startMs - 3_000_000 }
  expect(chart.asked).toEqual([
    {
      index: 'logs-*',
      timeField: 'when',
      queries: ['a:1', 'b:2'],
      splits: [
        { field: 'host', size: 3 },
        { field: 'user:name', size: 2 },
      ],
      metrics: [
        { type: 'avg', field: 'x', percents: undefined },
        { type: 'percentiles', field: 'y', percents: [5, 95] },
      ],
      interval: { text: '5m', ms: 300_000, calendar: false },
      range,
      isInDashboard: false,
    },
  ])
})

test('a data source that is told nothing counts all documents of the dashboard', async () => {
  const chart = chartOf(10)
  await evaluateTimelion('.elasticsearch()', chart)
  const [question] = chart.asked
  expect(question).toMatchObject({ index: '*', timeField: undefined, queries: ['*'], splits: [], isInDashboard: true })
  expect(question?.metrics).toEqual([{ type: 'count', field: undefined, percents: undefined }])
  expect(question?.range).toEqual(chart.frame.range)
})

test.each([
  ['.es(metric=avg)', '“avg” is no metric'],
  ['.es(metric=top_hits:x)', '“top_hits:x” is no metric'],
  ['.es(metric=percentiles:x:200)', '“200” are no percents'],
  ['.es(split=host)', '“host” is no split'],
  ['.es(split=host:0)', '“host:0” is no split'],
  ['.es(split=host:100000)', 'at most 10000 values'],
  ['.es(offset=yesterday)', '“yesterday” is no offset'],
  ['.es(fit=tight)', '“fit” of .es() must be one of average, carry, nearest, none, scale, not “tight”'],
  ['.es(interval=1ms)', 'Too many points of time'],
])('%s is refused in words', async (expression, message) => {
  await expect(seriesOfExpression(expression)).rejects.toThrow(message)
})

test('series of another time and interval get the moments of the chart', async () => {
  const hourBefore = minutely('before', [1, 2]).points.map(([ms, value]) => [ms - 3_600_000, value] as const)
  const answer = [{ ...minutely('before', []), points: hourBefore }]
  const [moved] = await evaluateTimelion('.es(offset=-1h)', chartOf(2, answer))
  expect(moved?.points).toEqual(minutely('', [1, 2]).points)
  const [carried] = await evaluateTimelion('.es(fit=carry)', chartOf(4, [minutely('few', [7, 8])]))
  expect(carried?.points.map(([, value]) => value)).toEqual([7, 8, 8, 8])
  const [raw] = await evaluateTimelion('.es(fit=none)', chartOf(4, [minutely('few', [7, 8])]))
  expect(raw?.points).toHaveLength(2)
})

test('the bucket that search begins with the end of the range is none of the chart', async () => {
  const [carried] = await evaluateTimelion('.es(fit=carry)', chartOf(2, [minutely('one too many', [1, 2, 3])]))
  expect(carried?.points).toEqual(minutely('', [1, 2]).points)
})

// As tutorials of Kibana have them, each on one index.
test.each([
  [
    ".es(index=m-*, timefield='@timestamp', metric='max:mem.bytes'), .es(index=m-*, timefield='@timestamp', metric='max:mem.bytes').if(operator=gt, if=2, then=.es(index=m-*, timefield='@timestamp', metric='max:mem.bytes'), else=null).label('warning').color('#FFCC11').lines(width=5)",
    [
      [1, 2, 3],
      [null, null, 3],
    ],
  ],
  [
    '.es(index=m*, timefield=@timestamp, metric=max:net.in.bytes).derivative().divide(2).lines(fill=2, width=1).color(green).label("In").title("Network"), .es(index=m*).derivative().multiply(-1).lines(fill=2, width=1).color(blue).label("Out").legend(columns=2, position=nw)',
    [
      [null, 0.5, 0.5],
      [null, -1, -1],
    ],
  ],
  [".es(*).divide(.es(offset=-2h)).multiply(100).lines().label('Rate as %').legend('ne')", [[100, 200, 300]]],
  [
    '.es().movingstd(2).multiply(3).add(.es().movingaverage(2, left)).points(5,2,1.5)',
    [[null, null, 3 * Math.SQRT1_2 + 2.5]],
  ],
])('%s', async (expression, values) => {
  const answer = minutely('q:* > count', [1, 2, 3])
  const chart = chartOf(3, [answer])
  const hourly = { ...answer, points: answer.points.map(([ms, value]) => [ms - 7_200_000, value] as const) }
  const ask = (question: EsQuestion): Promise<Series[]> =>
    Promise.resolve([question.range.fromMs === startMs ? answer : { ...hourly, points: hourly.points.slice(0, 1) }])
  const found = await evaluateTimelion(expression, { ...chart, ask })
  const rounded = found.map(({ points }) =>
    points.map(([, value]) => (value === null ? null : Number(value.toFixed(6)))),
  )
  expect(rounded).toEqual(values.map((row) => row.map((value) => (value === null ? null : Number(value.toFixed(6))))))
})

test('what would take too long is refused while it is calculated', async () => {
  const doublings = Array.from({ length: 40 }, (_, at) => `$v${at + 1}=($v${at}, $v${at})`)
  await expect(seriesOfExpression(['$v0=(.static(1), .static(1))', ...doublings, '$v40'].join())).rejects.toThrow(
    'makes more than 500 series',
  )
  const nested = `.static(1), ${Array.from({ length: 90 }, (_, at) => `.static(1).sum(@1:${at + 3})`).join()}, .static(1), .static(1)`
  await expect(seriesOfExpression(nested)).rejects.toThrow('References are more than 50 levels deep')
  const many = `$a=(${'.static(1),'.repeat(400)}), ($a)${'.abs()'.repeat(500)}`
  await expect(seriesOfExpression(many, 2_000)).rejects.toThrow('More than 3000000 points would be calculated')
  const searches = Array.from({ length: 51 }, (_, at) => `.es(q=${at})`).join()
  await expect(seriesOfExpression(searches)).rejects.toThrow('asks 51 searches: at most 50')
  await expect(seriesOfExpression(`.static(${'1:'.repeat(3_000)}1)`)).rejects.toThrow('at most 2000 are drawn')
})
