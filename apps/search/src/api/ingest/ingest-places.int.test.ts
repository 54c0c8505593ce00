import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeMmdb } from '../../ingest/testing/write-mmdb.ts'
import { type WireClient, wireClient } from '../../testing/https-client.ts'

let folder: string
let search: TestSearch
let client: WireClient

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'logstack-config-'))
  mkdirSync(join(folder, 'geoip'))
  const record = { country: { iso_code: 'DE', names: { en: 'Germany' } } }
  const bytes = writeMmdb({ type: 'GeoLite2-Country', networks: { '192.0.2.0/24': record } })
  writeFileSync(join(folder, 'geoip', 'GeoLite2-Country.mmdb'), bytes)
  search = await startSearch({ env: { LOGSTACK_CONFIG_FILE: join(folder, 'search.yml') } })
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
})

afterAll(async () => {
  client.close()
  await search.stop()
  rmSync(folder, { recursive: true })
})

it('databases are those in the folder geoip beside the configuration', async () => {
  const geoip = (file: string, target: string) => ({
    geoip: { field: 'source.ip', target_field: target, database_file: file, properties: ['country_iso_code'] },
  })
  const body = {
    processors: [geoip('GeoLite2-Country.mmdb', 'source.geo'), geoip('GeoLite2-City.mmdb', 'city')],
  }
  expect((await client.send('/_ingest/pipeline/places', { method: 'PUT', body })).status).toBe(200)
  const written = await client.send('/placed/_doc/1?pipeline=places', {
    method: 'PUT',
    body: { source: { ip: '192.0.2.7' } },
  })
  expect(written.status).toBe(201)
  expect((await client.send('/placed/_source/1')).json()).toEqual({
    source: { ip: '192.0.2.7', geo: { country_iso_code: 'DE' } },
    tags: ['_geoip_database_unavailable_GeoLite2-City.mmdb'],
  })
})

it('databases are counted, without files that are none', async () => {
  const stats = async () => (await client.send('/_ingest/geoip/stats')).json()
  const shown = (...names: string[]) => ({
    stats: {
      ...{ successful_downloads: 0, failed_downloads: 0, total_download_time: 0 },
      ...{ databases_count: names.length, skipped_updates: 0, expired_databases: 0 },
    },
    nodes: {
      [Object.keys(nodes)[0] ?? '']: {
        databases: names.map((name) => ({ name })),
        files_in_temp: [],
        config_databases: names,
      },
    },
  })
  const { nodes } = (await client.send('/_nodes')).json() as { nodes: object }
  expect(await stats()).toEqual(shown('GeoLite2-Country.mmdb'))
  writeFileSync(join(folder, 'geoip', 'broken.mmdb'), 'no database')
  expect(await stats()).toEqual(shown('GeoLite2-Country.mmdb', 'broken.mmdb'))
  const processors = [{ geoip: { field: 'ip', database_file: 'broken.mmdb' } }]
  const docs = [{ _source: { ip: '192.0.2.7' } }]
  await client.send('/_ingest/pipeline/_simulate', { method: 'POST', body: { pipeline: { processors }, docs } })
  expect(await stats()).toEqual(shown('GeoLite2-Country.mmdb'))
})
