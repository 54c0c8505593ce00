import { parseBulk } from '../../documents/bulk-parser.ts'
import { sourceChoice } from '../../dsl/source-choice.ts'
import { defineRoute } from '../define-route.ts'
import { readBulkFilter } from './bulk-filter.ts'
import { BulkItems } from './bulk-items.ts'
import { updateScript, writeDocuments, writeParameters, writeWaitsOf } from './write-documents.ts'

const bodyBytesMax = 100 * 1024 * 1024

/** `POST|PUT /_bulk`: many writes in one request; `errors` stands before `items`, which clients look for in the text. */
export const bulkRoute = defineRoute({
  name: 'bulk',
  methods: ['POST', 'PUT'],
  paths: ['/_bulk', '/{index}/_bulk'],
  privilege: { index: 'create_doc' },
  somewhere: { privilege: 'create_doc', of: 'items' },
  parameters: {
    ...writeParameters,
    type: 'string',
    _source: 'list',
    _source_includes: 'list',
    _source_excludes: 'list',
    list_executed_pipelines: 'boolean',
    // Applied here, where it saves writing thousands of items that nobody asked for.
    filter_path: 'string',
  },
  bodyBytesMax,
  async handle(request, services) {
    const started = services.now()
    const { query, params } = request
    const { routing, pipeline, require_alias, require_data_stream, refresh } = query
    const operations = parseBulk(request.body, {
      ...(params['index'] === undefined ? {} : { index: params['index'] }),
      ...(typeof routing === 'string' ? { routing } : {}),
      ...(typeof pipeline === 'string' ? { pipeline } : {}),
      ...(typeof require_alias === 'boolean' ? { requireAlias: require_alias } : {}),
      ...(typeof require_data_stream === 'boolean' ? { requireDataStream: require_data_stream } : {}),
      compileScript: updateScript(services, request.signal),
    })
    let ingestTook: number | undefined
    const results = await writeDocuments(
      request.scope,
      operations,
      services,
      writeWaitsOf(query, request.signal),
      (tookMs) => {
        ingestTook = tookMs
      },
    )
    const standard = sourceChoice(query)
    const filter = readBulkFilter(query['filter_path'])
    const items = new BulkItems(services, { refresh, scope: request.scope, standard }, filter?.items)
    for (let at = 0; at < operations.length; at += 1) {
      const [operation, result] = [operations[at], results[at]]
      if (!operation || !result) throw new Error('BUG: fewer results than operations')
      items.add(operation, result)
    }
    // Fluent Bit looks through the first half megabyte of a long answer for `"errors":false,"items":[`, and sends the whole chunk again without it.
    const members: [string, unknown][] = [
      ['took', Math.max(0, services.now() - started)],
      ['ingest_took', ingestTook],
      ['errors', results.some((result) => 'error' in result)],
    ]
    const shown = members.filter(([name, value]) => value !== undefined && (!filter || filter.members.has(name)))
    const texts = shown.map(([name, value]) => `"${name}":${value}`)
    // Thousands of items are not made one text with what stands around them.
    const jsonBytes =
      items.count === 0
        ? Buffer.from(`{${texts.join(',')}}`)
        : Buffer.concat([Buffer.from(`{${[...texts, '"items":['].join(',')}`), items.bytes(), Buffer.from(']}')])
    return { jsonBytes, ...(filter ? { isFiltered: true as const } : {}) }
  },
})
