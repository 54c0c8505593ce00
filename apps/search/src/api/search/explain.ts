import { sourceChoice } from '../../dsl/source-choice.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { printJson } from '../../json/print-json.ts'
import { type Explanation, explainLeaf, plainExplanation } from '../../plan/hits/explain.ts'
import { leafRows } from '../../plan/leaves/leaves.ts'
import { prepareLeaves } from '../../plan/prepare-leaves.ts'
import { shown } from '../../plan/shown.ts'
import { parsingError } from '../../refusals/refuse.ts'
import { visibleSource } from '../../security/visible-source.ts'
import type { Services } from '../../services.ts'
import { sql } from '../../sql/sql.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { resolveAuthorized } from '../resources/authorized-indices.ts'
import { indexToRead, readDocuments } from '../resources/read-documents.ts'
import { queryOfRequest } from './count.ts'
import { bodyWithLikes } from './more-like-this.ts'
import { queryParameters } from './search-parameters.ts'

/** `_explain`: whether a document matches a query, and of what its score is made. */
export const explainRoute = defineRoute({
  name: 'explain',
  methods: ['GET', 'POST'],
  paths: ['/{index}/_explain/{id}'],
  privilege: { index: 'read' },
  parameters: {
    ...queryParameters,
    _source: 'list',
    _source_includes: 'list',
    _source_excludes: 'list',
    stored_fields: 'list',
    preference: 'string',
    routing: 'string',
  },
  async handle(request, services) {
    const { index: name = '', id = '' } = request.params
    const query = queryOfRequest(request)
    if (query === undefined) throw parsingError('query is missing')
    const index = indexToRead(request.scope, services, 'explain', name)
    const [document] = await readDocuments(request.scope, services, index, [id])
    const head = { _index: index.name, _id: id }
    if (!document) return { status: 404, json: { ...head, matched: false } }
    const explanation = await explained(request, services, name, id, query)
    const choice = sourceChoice(request.query)
    const source = choice === undefined ? undefined : visibleSource(request.scope, index, document.source, choice)
    const shown = {
      ...head,
      matched: explanation !== undefined,
      explanation: explanation ?? plainExplanation(0, 'no matching clause'),
      ...(choice === undefined
        ? {}
        : {
            get: {
              _seq_no: document.seqNo,
              _primary_term: 1,
              found: true,
              ...(source ? { _source: JSON.parse(source.toString('utf8')) as unknown } : {}),
            },
          }),
    }
    return { jsonBytes: Buffer.from(printJson(shown)) }
  },
})

async function explained(
  request: RouteRequest,
  services: Services,
  name: string,
  id: string,
  given: unknown,
): Promise<Explanation | undefined> {
  const indices = resolveAuthorized(request, services, {
    route: 'explain',
    privilege: 'read',
    expression: name,
    options: resolveOptions({}, { expand: ['open', 'hidden'], forbidClosed: true }),
  })
  const read = { signal: request.signal }
  const query = await bodyWithLikes({ services, ...request, route: 'explain' }, given, () => indices)
  await shown(services, indices)
  const release = services.documents.hold()
  try {
    const asked = { indices, scope: request.scope, query, filter: { ids: { values: [id] } }, scored: true }
    const [leaf] = await prepareLeaves(services, { ...asked, nowMs: services.now() }, read)
    if (!leaf) return undefined
    const { from, where } = leafRows(services, leaf)
    const [row] = await services.engine.rows(sql`SELECT _seq FROM ${from} WHERE ${where} LIMIT 1`, read)
    if (!row) return undefined
    const sequence = Number(row[0])
    return (await explainLeaf(services, leaf, [sequence], read)).get(sequence)
  } finally {
    release()
  }
}
