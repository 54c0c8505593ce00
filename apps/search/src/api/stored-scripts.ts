import { AppError, searchErrors } from '@logstack/errors'
import { compileScript } from '../painless/script.ts'
import { defineRoute, type Route } from './define-route.ts'
import { isObject, objectBody } from './read-request.ts'

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
    if (typeof source !== 'string')
      throw new AppError(searchErrors.illegal_argument_exception, 'must specify source for stored script')
    compileScript({ lang, source })
    const kept = services.catalogue.collection<StoredScript>(collection)
    await services.store.transaction(() => kept.put(request.params['id'] ?? '', { lang, source }))
    return { json: { acknowledged: true } }
  },
})

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
