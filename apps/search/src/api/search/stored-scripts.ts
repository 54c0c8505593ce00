import { AppError, searchErrors } from '@logstack/errors'
import { isObject } from '../../json/json-object.ts'
import { compileFieldScript } from '../../painless/field-script.ts'
import { scoreFunctionForms } from '../../painless/score-functions.ts'
import { compileScript } from '../../painless/script.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { rendered } from './search-template.ts'

const timeouts = {
  timeout: 'time',
  master_timeout: 'time',
  cluster_manager_timeout: 'time',
  context: 'string',
} as const

interface StoredScript {
  readonly lang: string
  readonly source: string
}

const collection = 'script'

const put = defineRoute({
  name: 'put_script',
  methods: ['PUT', 'POST'],
  paths: ['/_scripts/{id}', '/_scripts/{id}/{context}'],
  privilege: { cluster: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const { script } = objectBody(request.json(), 'stored script source')
    if (!isObject(script))
      throw new AppError(searchErrors.illegal_argument_exception, 'must specify <script> for stored script')
    const { lang, source } = script
    if (typeof lang !== 'string')
      throw new AppError(searchErrors.illegal_argument_exception, 'must specify lang for stored script')
    if (lang === 'mustache' && isObject(source))
      return keep(request, services, { lang, source: JSON.stringify(source) })
    if (typeof source !== 'string')
      throw new AppError(searchErrors.illegal_argument_exception, 'must specify source for stored script')
    return keep(request, services, { lang, source })
  },
})

function callsScores(source: string): boolean {
  return [...scoreFunctionForms.keys()].some((name) => source.includes(`${name}(`))
}

/** Keeps a script or search template; what cannot be read is refused. */
async function keep(
  { params }: RouteRequest,
  { catalogue, store }: Services,
  script: StoredScript,
): Promise<RouteAnswer> {
  if (script.lang !== 'mustache' && script.lang !== 'painless')
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `unable to put stored script with unsupported lang [${script.lang}]`,
    )
  if (script.lang === 'mustache') rendered(script.source, {})
  // Scripts of searches know other names than those that change documents.
  else if (callsScores(script.source)) compileFieldScript(script, undefined, 'score')
  else if (/\b(doc|_score|emit)\b/u.test(script.source)) compileFieldScript(script)
  else compileScript(script)
  const kept = catalogue.collection<StoredScript>(collection)
  await store.transaction(() => kept.put(params['id'] ?? '', script))
  return { json: { acknowledged: true } }
}

const get = defineRoute({
  name: 'get_script',
  methods: ['GET'],
  paths: ['/_scripts/{id}'],
  privilege: { cluster: 'manage' },
  parameters: timeouts,
  async handle(request, { catalogue }) {
    const id = request.params['id'] ?? ''
    const script = catalogue.collection<StoredScript>(collection).get(id)
    if (!script) return { status: 404, json: { _id: id, found: false } }
    return { json: { _id: id, found: true, script } }
  },
})

const remove = defineRoute({
  name: 'delete_script',
  methods: ['DELETE'],
  paths: ['/_scripts/{id}'],
  privilege: { cluster: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const id = request.params['id'] ?? ''
    const kept = services.catalogue.collection<StoredScript>(collection)
    if (!kept.get(id)) {
      throw new AppError(
        searchErrors.resource_not_found_exception,
        `stored script [${id}] does not exist and cannot be deleted`,
      )
    }
    await services.store.transaction(() => kept.remove(id))
    return { json: { acknowledged: true } }
  },
})

/** Scripts kept under a name. */
export const storedScriptRoutes: readonly Route[] = [put, get, remove]
