import { expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const ask = searchOverWire()
const put = (path: string, body: object) => ask(path, { method: 'PUT', body })

interface Report {
  readonly status?: string
  readonly indicators: Readonly<
    Record<
      string,
      {
        readonly status: string
        readonly details?: Readonly<Record<string, unknown>>
        readonly impacts?: readonly { readonly impact_areas: readonly string[] }[]
        readonly diagnosis?: readonly {
          readonly cause: string
          readonly affected_resources: Readonly<Record<string, readonly string[]>>
        }[]
      }
    >
  >
}
const report = async (path = '/_health_report'): Promise<Report> => (await ask(path)).json() as Report

it('is green on a new cluster, of which each indicator can be asked for alone', async () => {
  const { status, indicators } = await report()
  expect([status, ...Object.values(indicators).map((one) => one.status)]).toEqual(Array(9).fill('green'))
  expect(Object.keys(indicators)).toEqual(expect.arrayContaining(['data_stream_lifecycle', 'slm']))
  for (const name of Object.keys(indicators)) {
    const alone = await report(`/_health_report/${name}`)
    expect([alone.status, Object.keys(alone.indicators)]).toEqual([undefined, [name]])
  }
  const unknown = await ask('/_health_report/x')
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('resource_not_found_exception')])
})

it('tells of replicas without a node, and what mends that', async () => {
  for (const name of ['a', 'b']) await put(`/with-${name}`, { settings: { number_of_replicas: 2 } })
  const { status, indicators } = await report('/_health_report?size=1')
  const { shards_availability: shards } = indicators
  expect([status, shards?.status, shards?.details?.['unassigned_replicas']]).toEqual(['yellow', 'yellow', 4])
  expect(shards?.impacts?.[0]?.impact_areas).toEqual(['search'])
  expect(shards?.diagnosis?.[0]?.affected_resources).toEqual({ indices: ['with-a'] })
  const brief = (await report('/_health_report?verbose=false')).indicators['shards_availability']
  expect(brief?.details).toBe(undefined)
  expect(brief?.diagnosis).toBe(undefined)
  await put('/with-*/_settings', { index: { number_of_replicas: 0 } })
  expect((await report()).status).toBe('green')
})

it('tells of a disk above its watermarks and of blocked indices', async () => {
  const marks = (low: string, high: string, flood: string) => {
    const name = 'cluster.routing.allocation.disk.watermark.'
    return put('/_cluster/settings', {
      transient: { [`${name}low`]: low, [`${name}high`]: high, [`${name}flood_stage`]: flood },
    })
  }
  const disk = async () => (await report('/_health_report/disk')).indicators['disk']
  // Only high: the guard sets no block that this would find.
  expect((await marks('900tb', '800tb', '1b')).status).toBe(200)
  expect(await disk()).toMatchObject({ status: 'yellow', details: { nodes_over_high_watermark: 1 } })
  await put('/_cluster/settings', {
    transient: { 'cluster.routing.allocation.disk.watermark.*': null },
  })
  expect(await disk()).toMatchObject({ status: 'green', details: { nodes_with_enough_disk_space: 1 } })
  await put('/blocked', { settings: { 'index.blocks.read_only_allow_delete': true } })
  expect(await disk()).toMatchObject({
    status: 'red',
    details: { indices_with_readonly_block: 1 },
    diagnosis: [{ affected_resources: { indices: ['blocked'] } }],
  })
  await put('/blocked/_settings', { 'index.blocks.read_only_allow_delete': null })
  expect(await disk()).toMatchObject({ status: 'green' })
})

it('tells when policies do not run', async () => {
  await put('/_ilm/policy/p', { policy: { phases: { delete: { min_age: '9d', actions: { delete: {} } } } } })
  const ilm = async () => (await report('/_health_report/ilm')).indicators['ilm']
  expect(await ilm()).toMatchObject({ status: 'green', details: { policies: 1, ilm_status: 'RUNNING' } })
  await ask('/_ilm/stop', { method: 'POST' })
  expect(await ilm()).toMatchObject({ status: 'yellow', details: { ilm_status: 'STOPPED' } })
  await ask('/_ilm/start', { method: 'POST' })
})

it('lists the tables of _cat, and what of the features is used', async () => {
  const { text } = await ask('/_cat')
  expect(text.split('\n')).toEqual(
    expect.arrayContaining(['=^.^=', '/_cat/indices', '/_cat/indices/{index}', '/_cat/shards']),
  )
  expect((await ask('/_xpack/usage')).json()).toMatchObject({
    ilm: { available: true, enabled: true, policy_count: 1 },
    security: { enabled: true, audit: { enabled: true } },
    ml: { available: false, enabled: false },
  })
})
