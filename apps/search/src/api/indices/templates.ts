import { AppError, searchErrors } from '@logstack/errors'
import { parseAlias } from '../../indices/aliases.ts'
import { checkComponent, checkUnused } from '../../indices/templates.ts'
import { isObject } from '../../json/json-object.ts'
import { nestedNames } from '../../json/nested-names.ts'
import type { Services } from '../../services.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { nameMatcher } from '../resources/show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const
const privilege = { cluster: 'manage_index_templates' } as const

type Body = Readonly<Record<string, unknown>>

/** One kind of template: where it is kept, what its answers call it. */
interface TemplateKind {
  readonly route: string
  readonly path: string
  readonly collection: string
  readonly keys: readonly string[]
  /** Names in the GET answer: the list, and the template in an entry. */
  readonly shown: readonly [list: string, entry: string]
  /** Members that must be given, and what stands in a GET answer for those that were not. */
  readonly required: readonly string[]
  readonly defaults: Body
  readonly missing: (name: string) => AppError
  /** The same to who would delete one. */
  readonly gone: (name: string) => AppError
  put(services: Services, name: string, body: Body): Promise<void>
}

async function store(services: Services, collection: string, name: string, body: Body): Promise<void> {
  const kept = services.catalogue.collection<Body>(collection)
  await services.store.transaction(() => kept.put(name, body))
}

const indexTemplates: TemplateKind = {
  route: 'index_template',
  path: '/_index_template',
  collection: 'index_template',
  keys: [
    'index_patterns',
    'template',
    'composed_of',
    'priority',
    'version',
    '_meta',
    'data_stream',
    'allow_auto_create',
    'ignore_missing_component_templates',
    'deprecated',
  ],
  shown: ['index_templates', 'index_template'],
  required: [],
  defaults: { composed_of: [] },
  missing: (name) => missing(`index template matching [${name}] not found`),
  gone: (name) => new AppError(searchErrors.index_template_missing_exception, `index_template [${name}] missing`),
  put: ({ catalogue }, name, body) => catalogue.putIndexTemplate(name, body),
}

const componentTemplates: TemplateKind = {
  route: 'component_template',
  path: '/_component_template',
  collection: 'component_template',
  keys: ['template', 'version', '_meta', 'deprecated', 'allow_auto_create'],
  shown: ['component_templates', 'component_template'],
  required: ['template'],
  defaults: {},
  missing: (name) => missing(`component template matching [${name}] not found`),
  gone: missing,
  async put({ catalogue, store }, name, body) {
    const kept = catalogue.collection<Body>('component_template')
    await store.transaction(() => {
      checkComponent(store, name, body)
      kept.put(name, body)
    })
  },
}

function missing(reason: string): AppError {
  return new AppError(searchErrors.resource_not_found_exception, reason)
}

function find(services: Services, collection: string, expression: string | undefined): [string, Body][] {
  const wanted = nameMatcher(expression)
  return [...services.catalogue.collection<Body>(collection).entries()]
    .filter(([name]) => wanted(name))
    .map(([name, body]): [string, Body] => [name, body])
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Throws `x_content_parse_exception` when an index template has a key that none has. */
export function checkTemplateKeys(body: Body): void {
  checkKeys(body, indexTemplates)
}

function checkKeys(body: Body, kind: TemplateKind): void {
  const unknown = Object.keys(body).find((key) => !kind.keys.includes(key))
  if (unknown !== undefined) throw unparsed(kind, `unknown field [${unknown}]`)
  const faulty = numbers.find((key) => body[key] !== undefined && body[key] !== null && !isWhole(body[key]))
  if (faulty !== undefined) throw unparsed(kind, `failed to parse field [${faulty}]`)
}

function unparsed({ route }: TemplateKind, reason: string): AppError {
  return new AppError(searchErrors.x_content_parse_exception, `[1:1] [${route}] ${reason}`)
}

/** Keys of templates that hold a whole number. */
const numbers = ['priority', 'version'] as const

function isWhole(value: unknown): boolean {
  return typeof value === 'string' ? /^-?\d+$/.test(value) : Number.isInteger(value)
}

/** The routes of index templates and of component templates are the same but for names. */
function routesOf(kind: TemplateKind): Route[] {
  const path = [`${kind.path}/{name}`]
  const get = defineRoute({
    name: `indices.get_${kind.route}`,
    methods: ['GET'],
    paths: [kind.path, ...path],
    privilege: { cluster: 'monitor' },
    parameters: { ...timeouts, flat_settings: 'boolean', local: 'boolean', include_defaults: 'boolean' },
    async handle(request, services) {
      const name = request.params['name']
      const found = find(services, kind.collection, name)
      if (found.length === 0 && name !== undefined && !name.includes('*')) throw kind.missing(name)
      const [list, entry] = kind.shown
      return {
        json: {
          [list]: found.map(([found, body]) => ({ name: found, [entry]: { ...kind.defaults, ...shown(body) } })),
        },
      }
    },
  })
  const put = defineRoute({
    name: `indices.put_${kind.route}`,
    methods: ['PUT', 'POST'],
    paths: path,
    privilege,
    parameters: { ...timeouts, create: 'boolean', cause: 'string' },
    async handle(request, services) {
      const name = request.params['name'] ?? ''
      const body = objectBody(request.json(), kind.route)
      checkKeys(body, kind)
      for (const key of kind.required)
        if (body[key] === undefined) throw new AppError(searchErrors.illegal_argument_exception, `Required [${key}]`)
      if (request.query['create'] === true && find(services, kind.collection, name).length > 0) {
        throw new AppError(
          searchErrors.illegal_argument_exception,
          `${kind.route.replace('_', ' ')} [${name}] already exists`,
        )
      }
      await kind.put(services, name, body)
      return { json: { acknowledged: true } }
    },
  })
  const exists = defineRoute({
    name: `indices.exists_${kind.route}`,
    methods: ['HEAD'],
    paths: path,
    privilege: { cluster: 'monitor' },
    parameters: { ...timeouts, local: 'boolean', flat_settings: 'boolean' },
    async handle(request, services) {
      return { status: find(services, kind.collection, request.params['name']).length > 0 ? 200 : 404 }
    },
  })
  return [get, put, exists, deleteRoute(kind.route, path, kind.collection, kind.gone)]
}

function deleteRoute(
  route: string,
  paths: readonly string[],
  collection: string,
  missingError: (name: string) => AppError,
): Route {
  return defineRoute({
    name: `indices.delete_${route}`,
    methods: ['DELETE'],
    paths,
    privilege,
    parameters: timeouts,
    async handle(request, services) {
      const name = request.params['name'] ?? ''
      const found = find(services, collection, name)
      if (found.length === 0 && !name.includes('*')) throw missingError(name)
      const kept = services.catalogue.collection(collection)
      await services.store.transaction(() => {
        const names = found.map(([each]) => each)
        if (collection === 'component_template') checkUnused(services.store, names)
        for (const each of names) kept.remove(each)
      })
      return { json: { acknowledged: true } }
    },
  })
}

/** Settings inside a template as Elasticsearch shows them: under `index`, values as text. */
function shown(body: Body): Body {
  const template = body['template']
  if (!isObject(template)) return body
  const { settings, aliases } = template
  return {
    ...body,
    template: {
      ...template,
      ...(isObject(settings) ? { settings: shownSettings(settings) } : {}),
      ...(isObject(aliases) ? { aliases: shownTemplateAliases(aliases) } : {}),
    },
  }
}

function shownSettings(given: Body, flat = false): Body {
  const values: Record<string, unknown> = {}
  collect(given, '', values)
  return flat ? values : nestedNames(Object.entries(values))
}

function collect(given: Body, prefix: string, into: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(given)) {
    const name = prefix + key
    if (isObject(value)) collect(value, `${name}.`, into)
    else {
      const full = name.startsWith('index.') ? name : `index.${name}`
      into[full] = Array.isArray(value) ? value.map(scalarText) : value === null ? null : String(value)
    }
  }
}

/** Aliases as they are kept: `routing` is both routings. */
function shownTemplateAliases(given: Body): Body {
  return Object.fromEntries(Object.entries(given).map(([name, alias]) => [name, parseAlias(name, alias)]))
}

const legacyKeys = ['index_patterns', 'template', 'order', 'version', 'settings', 'mappings', 'aliases']

/** `_template`, the older kind: still what Beats 7, fluentd and Wazuh send. */
const legacy: readonly Route[] = [
  defineRoute({
    name: 'indices.put_template',
    methods: ['PUT', 'POST'],
    paths: ['/_template/{name}'],
    privilege,
    parameters: { ...timeouts, create: 'boolean', order: 'integer', cause: 'string', include_type_name: 'boolean' },
    async handle(request, services) {
      const name = request.params['name'] ?? ''
      const body = objectBody(request.json(), 'template')
      const unknown = Object.keys(body).find((key) => !legacyKeys.includes(key))
      if (unknown !== undefined) {
        throw new AppError(searchErrors.parse_exception, `unknown key [${unknown}] in the template`)
      }
      const patterns = body['index_patterns']
      if (patterns === undefined) {
        const reason = 'Validation Failed: 1: index patterns are missing;'
        throw new AppError(searchErrors.action_request_validation_exception, reason)
      }
      if (request.query['create'] === true && find(services, 'template', name).length > 0) {
        throw new AppError(searchErrors.illegal_argument_exception, `index_template [${name}] already exists`)
      }
      const { settings, mappings, aliases } = body
      await store(services, 'template', name, {
        order: request.query['order'] ?? body['order'] ?? 0,
        ...(body['version'] === undefined ? {} : { version: body['version'] }),
        index_patterns: Array.isArray(patterns) ? patterns : [patterns],
        settings: isObject(settings) ? settings : {},
        mappings: isObject(mappings) ? mappings : {},
        aliases: isObject(aliases) ? shownTemplateAliases(aliases) : {},
      })
      return { json: { acknowledged: true } }
    },
  }),
  defineRoute({
    name: 'indices.get_template',
    methods: ['GET', 'HEAD'],
    paths: ['/_template', '/_template/{name}'],
    privilege: { cluster: 'monitor' },
    parameters: { ...timeouts, flat_settings: 'boolean', local: 'boolean', include_type_name: 'boolean' },
    async handle(request: RouteRequest, services: Services) {
      const name = request.params['name']
      const flat = request.query['flat_settings'] === true
      const found = find(services, 'template', name)
      const absent = found.length === 0 && name !== undefined && !name.includes('*')
      const entries = found.map(([key, body]) => [
        key,
        { ...body, settings: shownSettings(isObject(body['settings']) ? body['settings'] : {}, flat) },
      ])
      return { status: absent ? 404 : 200, json: Object.fromEntries(entries) }
    },
  }),
  deleteRoute(
    'template',
    ['/_template/{name}'],
    'template',
    (name) => new AppError(searchErrors.index_template_missing_exception, `index_template [${name}] missing`),
  ),
]

/** Index templates, component templates and legacy templates. */
export const templateRoutes: readonly Route[] = [
  ...routesOf(indexTemplates),
  ...routesOf(componentTemplates),
  ...legacy,
]
