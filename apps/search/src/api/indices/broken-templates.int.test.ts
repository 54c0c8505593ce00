import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { systemScope } from '../../security/role-scope.ts'
import type { Services } from '../../services.ts'
import { searchOverWire } from '../../testing/search-over-wire.ts'
import { openTestServices, type TestServices } from '../../testing/search-services.ts'
import { writeDocuments, writeWaitsOf } from '../documents/write-documents.ts'

describe('a component of templates', () => {
  const send = searchOverWire()
  const put = (path: string, body: object) => send(path, { method: 'PUT', body })
  const field = (name: string, type: string) => ({ template: { mappings: { properties: { [name]: { type } } } } })

  it('is changed and deleted only as the templates made of it can bear', async () => {
    await put('/_component_template/part', field('a', 'keyword'))
    await put('/_component_template/spared', field('b', 'keyword'))
    const template = { index_patterns: ['whole-*'], composed_of: ['part', 'spared'], priority: 500 }
    await put('/_index_template/whole', { ...template, ignore_missing_component_templates: ['spared'] })
    const wrong = await put('/_component_template/new', field('a', 'nothing'))
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('The mapper type [nothing] declared on field [a] does not exist.'),
    ])
    const used = await send('/_component_template/part', { method: 'DELETE' })
    expect([used.status, used.json()]).toMatchObject([
      400,
      {
        error: {
          type: 'illegal_argument_exception',
          reason: 'component templates [part] cannot be removed as they are still in use by index templates [whole]',
        },
      },
    ])
    expect((await send('/_component_template/spared', { method: 'DELETE' })).status).toBe(200)
    expect((await put('/_component_template/part', field('a', 'long'))).status).toBe(200)
    await put('/_component_template/flat', { template: { mappings: { subobjects: false } } })
    await put('/_index_template/dotted', { index_patterns: ['dotted-*'], composed_of: ['flat', 'part'], priority: 501 })
    expect((await put('/_component_template/part', field('a', 'nested'))).json()).toMatchObject({
      error: {
        type: 'illegal_argument_exception',
        reason:
          'updating component template [part] results in invalid composable template [dotted] after templates are merged',
        caused_by: { reason: expect.stringContaining('[a]') },
      },
      status: 400,
    })
  })
})

describe('a bulk into an index whose template cannot be put together', () => {
  let services: TestServices
  beforeAll(async () => {
    services = await openTestServices()
    const { catalogue, store } = services
    // Such templates come of older versions and of snapshots: none is taken in over the wire.
    await store.transaction(() => {
      catalogue
        .collection('component_template')
        .put('part', { template: { mappings: { properties: { a: { type: 'nothing' } } } } })
      const template = { index_patterns: ['broken-*'], composed_of: ['part'], priority: 500 }
      catalogue.collection('index_template').put('broken', template)
    })
  })
  afterAll(() => services.close())

  it('fails for its own items, and no other', async () => {
    const operations = ['fine', 'broken-1', 'other', 'broken-2'].map(
      (index, at): WriteOperation => ({ action: 'index', index, id: String(at), source: Buffer.from('{"a":1}') }),
    )
    const results = await writeDocuments(systemScope, operations, services as unknown as Services, writeWaitsOf({}))
    expect(results.map((result) => ('error' in result ? result.error.message : result.result))).toEqual([
      'created',
      expect.stringContaining('The mapper type [nothing] declared on field [a] does not exist.'),
      'created',
      expect.stringContaining('The mapper type [nothing] declared on field [a] does not exist.'),
    ])
    expect(services.catalogue.index('broken-1')).toBe(undefined)
  })
})
