import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

// Percentiles of more values than are kept one by one: estimates.

let logs: SampleLogs
const each = 1_500
/** Least loads of the hosts: theirs are the 1,500 whole numbers from there. */
const hosts = { low: 0, high: 10_000 }

beforeAll(async () => {
  logs = await openSampleLogs()
  const { services } = logs
  await services.create('loads', {
    properties: { host: { type: 'keyword' }, load: { type: 'double' }, loads: { type: 'long' } },
  })
  const rows = Object.entries(hosts).flatMap(([host, least]) =>
    Array.from({ length: each }, (_, at): [string, Record<string, unknown>] => [
      `${host}-${at}`,
      { host, load: least + at, loads: [least + at, least + at] },
    ]),
  )
  await services.write('loads', [...rows, ['none', { host: 'none' }]])
}, 60_000)
afterAll(() => logs.services.close())

function aggs(asked: Readonly<Record<string, unknown>>): Promise<unknown> {
  return logs.aggs(asked, {}, 'loads')
}

it('estimates single values and lists, and gives nothing for no values', async () => {
  const found = (await aggs({
    hosts: {
      terms: { field: 'host' },
      aggs: {
        one: { percentiles: { field: 'load', percents: [50, 25] } },
        many: { percentiles: { field: 'loads', percents: [50] } },
      },
    },
  })) as {
    hosts: {
      buckets: { key: string; one: { values: Record<string, number> }; many: { values: Record<string, number> } }[]
    }
  }
  const of = (host: string) => found.hosts.buckets.find(({ key }) => key === host)
  for (const [host, least] of Object.entries(hosts)) {
    expect(of(host)?.one.values['25.0']).toBeCloseTo(least + each / 4, -2)
    expect(of(host)?.one.values['50.0']).toBeCloseTo(least + each / 2, -2)
    expect(of(host)?.many.values['50.0']).toBeCloseTo(least + each / 2, -2)
  }
  expect(of('none')).toMatchObject({ one: { values: { '50.0': null } }, many: { values: { '50.0': null } } })
})

it('takes a thousand percents as it takes one', async () => {
  const percents = Array.from({ length: 1_001 }, (_, at) => at / 10)
  const found = (await aggs({ load: { percentiles: { field: 'load', percents, keyed: false } } })) as {
    load: { values: { key: number; value: number }[] }
  }
  const { values } = found.load
  expect(values.map(({ key }) => key)).toEqual(percents)
  const estimates = values.map(({ value }) => value)
  expect(estimates).toEqual([...estimates].sort((a, b) => a - b))
  expect(estimates[0]).toBeLessThan(10)
  expect(estimates.at(-1)).toBeGreaterThan(11_000)
})

it.each(['load.90', 'load[90]', 'some>load.90'])('orders buckets by %s', async (path) => {
  const load = { percentiles: { field: 'load', percents: [10, 90] } }
  const some = { filter: { range: { load: { gte: 0 } } }, aggs: { load } }
  const order = async (way: string) => {
    const found = (await aggs({
      hosts: { terms: { field: 'host', order: { [path]: way } }, aggs: { load, some } },
    })) as { hosts: { buckets: { key: string }[] } }
    return found.hosts.buckets.map(({ key }) => key)
  }
  expect(await order('desc')).toEqual(['high', 'low', 'none'])
  expect(await order('asc')).toEqual(['low', 'high', 'none'])
})
