import { requireSource } from '../../model/kept-source.ts'
import type { Script } from '../../painless/script.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { runJob } from './by-query-job.ts'
import {
  type ByQueryBody,
  checkSearchKeys,
  findSources,
  queryParameters,
  readOptions,
  readSelection,
} from './by-query-parameters.ts'
import type { MakeWrite } from './by-query-run.ts'
import { runScript } from './by-query-script.ts'
import { reindexRoute } from './reindex.ts'
import { requestScript } from './write-documents.ts'

const bodyKeys = {
  update_by_query: ['query', 'script', 'max_docs', 'conflicts', 'size', 'slice', 'sort', 'terminate_after'],
  delete_by_query: ['query', 'max_docs', 'conflicts', 'size', 'slice', 'sort', 'terminate_after'],
} as const

function readBody(request: RouteRequest, route: keyof typeof bodyKeys): ByQueryBody {
  const body = objectBody(request.json() ?? {}, route)
  checkSearchKeys(body, bodyKeys[route])
  return body
}

const concurrency = (seqNo: number) => ({ ifSeqNo: seqNo, ifPrimaryTerm: 1 })

/** Rewrites a document, after its script when there is one. */
function updating(script: Script | undefined, nowMs: number, pipeline: unknown): MakeWrite {
  return (document) => {
    const { index, id, seqNo, routing, seen } = document
    requireSource(index, id)
    const target = {
      index: index.name,
      id,
      ...(typeof pipeline === 'string' ? { pipeline } : {}),
      ...(routing === '' ? {} : { routing }),
      ...concurrency(seqNo),
      ...(seen ? { seen } : {}),
    }
    if (!script) return { action: 'index', ...target, source: document.source }
    const { op, source } = runScript(script, document, nowMs)
    if (op === 'noop') return 'noop'
    return op === 'delete' ? { action: 'delete', ...target } : { action: 'index', ...target, source }
  }
}

const updateByQuery = defineRoute({
  name: 'update_by_query',
  methods: ['POST'],
  paths: ['/{index}/_update_by_query'],
  privilege: { index: 'index' },
  waitsForWork: true,
  parameters: queryParameters,
  listsItself: true,
  async handle(request, services) {
    const body = readBody(request, 'update_by_query')
    const selection = readSelection(request, body)
    const expression = request.params['index'] ?? ''
    const script = body['script'] === undefined ? undefined : requestScript(services)(body['script'])
    const { options, indices } = readOptions(request, body, () =>
      findSources(request, services, 'update_by_query', 'index', expression),
    )
    const make = updating(script, services.now(), request.query['pipeline'])
    return runJob(services, request, {
      action: 'indices:data/write/update/byquery',
      description: `update-by-query [${expression}]`,
      options: { ...options, kind: 'update', make },
      match: {
        indices,
        scope: request.scope,
        ...selection,
        withSource: true,
      },
    })
  },
})

const remove: MakeWrite = ({ index, id, seqNo, routing, seen }) => ({
  action: 'delete',
  index: index.name,
  id,
  ...(routing === '' ? {} : { routing }),
  ...concurrency(seqNo),
  ...(seen ? { seen } : {}),
})

const deleteByQuery = defineRoute({
  name: 'delete_by_query',
  methods: ['POST'],
  paths: ['/{index}/_delete_by_query'],
  privilege: { index: 'delete' },
  waitsForWork: true,
  parameters: queryParameters,
  listsItself: true,
  async handle(request, services) {
    const body = readBody(request, 'delete_by_query')
    const selection = readSelection(request, body)
    if (selection.query === undefined) throw validationError('query is missing')
    const expression = request.params['index'] ?? ''
    const { options, indices } = readOptions(request, body, () =>
      findSources(request, services, 'delete_by_query', 'delete', expression),
    )
    return runJob(services, request, {
      action: 'indices:data/write/delete/byquery',
      description: `delete-by-query [${expression}]`,
      options: { ...options, kind: 'delete', make: remove },
      match: {
        indices,
        scope: request.scope,
        ...selection,
        withSource: false,
      },
    })
  },
})

/** Writes to what a query finds. */
export const byQueryRoutes: readonly Route[] = [updateByQuery, deleteByQuery, reindexRoute]
