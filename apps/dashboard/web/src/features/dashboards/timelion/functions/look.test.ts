import { expect, test } from 'vitest'
import { seriesOfExpression } from '../testing.ts'

test('lines, bars and points say how series are drawn; what is not said stays as it was', async () => {
  const [lines] = await seriesOfExpression('.static(1).lines(width=2, fill=5, steps=1).lines(stack=true)')
  expect(lines?.look).toMatchObject({ isStacked: true, lines: { widthPx: 2, fill: 0.5, steps: true } })
  const [bars] = await seriesOfExpression('.static(1).bars()')
  expect(bars?.look).toMatchObject({ isStacked: true, bars: { show: true, widthPx: 6 } })
  const [points] = await seriesOfExpression('.static(1).points(5, 2, 10, #fff, square)')
  expect(points?.look.points).toMatchObject({
    radiusPx: 5,
    borderPx: 2,
    fill: 1,
    fillColor: '#ffffff',
    symbol: 'square',
  })
  await expect(seriesOfExpression('.static(1).points(symbol=star)')).rejects.toThrow('one of circle, cross')
  await expect(seriesOfExpression('.static(1).lines(fill=wide)')).rejects.toThrow(
    '“fill” of .lines() must be a number, not “wide”\nat character 11: .lines(fill=wide)',
  )
})

test('several colours go from one to the other over the series', async () => {
  const colours = async (given: string): Promise<unknown[]> =>
    (await seriesOfExpression(`(.static(1), .static(2), .static(3)).color(${given})`)).map(({ look }) => look.color)
  expect(await colours('red')).toEqual(['red', 'red', 'red'])
  expect(await colours("'#000000:#ffffff'")).toEqual(['#000000', '#808080', '#ffffff'])
  expect(await colours('#f00:0f0:00f')).toEqual(['#ff0000', '#00ff00', '#0000ff'])
  expect(await colours("'rgba(1, 2, 3, 0.5)'")).toEqual(Array(3).fill('rgba(1, 2, 3, 0.5)'))
})

test('what is no colour never comes to stand in the styles of the page', async () => {
  const hostile = "'red;background:url(https://example.org/x)'"
  for (const call of [
    `color(${hostile})`,
    `yaxis(color=${hostile})`,
    `points(fillColor=${hostile})`,
    `props(color=${hostile})`,
  ])
    await expect(seriesOfExpression(`.static(1).${call}`), call).rejects.toThrow('is no colour')
})

test('labels are set, made of the label before, and of parts that a pattern finds', async () => {
  const label = async (call: string): Promise<string | undefined> =>
    (await seriesOfExpression(`.static(1, "q:* > host.name:web-1 > count")${call}`))[0]?.label
  expect(await label('.label(x)')).toBe('x')
  expect(await label('.label(404)')).toBe('404')
  expect(await label('.label("all of %s")')).toBe('all of q:* > host.name:web-1 > count')
  expect(await label(String.raw`.label('$1', '^.* > host.name:(\S+) > .*')`)).toBe('web-1')
  expect(await label(String.raw`.label('[$2|$1|$$|$3|$&]', '(web)-(\d)')`)).toBe(
    'q:* > host.name:[1|web|$|$3|web-1] > count',
  )
  expect(await label(".label('x', 'nothing like it')")).toBe('q:* > host.name:web-1 > count')
})

test('a pattern takes no longer than its text is long, or is refused', async () => {
  const [series] = await seriesOfExpression(`.static(1, "${'a'.repeat(900)}!").label(found, '(a+)+$')`)
  expect(series?.label).toBe(`${'a'.repeat(900)}!`)
  for (const pattern of ['(', '(?=a)', String.raw`(a)\1`, '(a{1000}){1000}'])
    await expect(seriesOfExpression(`.static(1).label(x, '${pattern}')`), pattern).rejects.toThrow('cannot be used')
})

test('hidden series, titles, legends and axes', async () => {
  const [series] = await seriesOfExpression(
    '.static(1).hide().title("Load").legend(se, 2).yaxis(2, max=5, units=bytes/s, label=rate).yaxis(yaxis=2, min=0)',
  )
  expect(series?.look).toMatchObject({ isHidden: true, axis: 2 })
  expect(series?.chart).toMatchObject({
    title: 'Load',
    legend: { show: true, position: 'se', columns: 2 },
    axes: [
      { number: 2, max: 5, units: 'bytes/s', label: 'rate' },
      { number: 2, min: 0 },
    ],
  })
  const [quiet] = await seriesOfExpression('.static(1).legend(false).hide(false)')
  expect(quiet?.chart.legend?.show).toBe(false)
  expect(quiet?.look.isHidden).toBe(false)
  await expect(seriesOfExpression('.static(1).yaxis(0)')).rejects.toThrow('must be the number of an axis')
  await expect(seriesOfExpression('.static(1).yaxis(units=miles)')).rejects.toThrow('“miles” are no units')
  await expect(seriesOfExpression('.static(1).yaxis(units=currency:euro)')).rejects.toThrow('“euro” is no currency')
})

test('properties by the names of Kibana’s charts; others mean nothing', async () => {
  const [series] = await seriesOfExpression(
    '.static(1).props(label=bears!, lines.fill=0.3, bars.show=false, yaxis=2, shadowSize=3)',
  )
  expect(series).toMatchObject({ label: 'bears!', look: { lines: { fill: 0.3 }, bars: { show: false }, axis: 2 } })
  await expect(seriesOfExpression('.static(1).props(label=.static(2))')).rejects.toThrow('must be a word or a number')
})
