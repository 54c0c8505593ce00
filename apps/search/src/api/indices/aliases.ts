import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { createLowerContext } from '../../dsl/lower-context.ts'
import { parseAlias } from '../../indices/aliases.ts'
import { refuseBlocked } from '../../indices/blocks.ts'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { isObject } from '../../json/json-object.ts'
import { jsonToken } from '../../json/json-token.ts'
import type { AliasMeta, IndexMeta } from '../../model/index-meta.ts'
import { contentError, illegalArgument, memberError } from '../../refusals/refuse.ts'
import { validationError } from '../../refusals/validation-error.ts'
import { needOf } from '../../security/actions.ts'
import type { Services } from '../../services.ts'
import { scalarText } from '../../values/scalar-text.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { indicesOptionParameters, requireIndices, resolveAuthorized } from '../resources/authorized-indices.ts'
import { byIndex, nameMatcher, shownAliases } from '../resources/show-index.ts'
import { indicesOf } from './index-admin.ts'

const timeouts = { timeout: 'time', master_timeout: 'time' } as const
const allStates = { expand: ['open', 'closed', 'hidden'] } as const

interface AliasChange {
  readonly index: IndexMeta
  readonly alias: string
  readonly meta: AliasMeta | undefined
}

/** The steps of one `_aliases` action. */
interface Plan {
  readonly changes: AliasChange[]
  readonly removed: IndexMeta[]
  /** That nothing it removes is there: an error where all actions are like it. */
  readonly missing?: AppError
}

const actionKeys = {
  add: [
    'index',
    'indices',
    'alias',
    'aliases',
    'filter',
    'routing',
    'index_routing',
    'search_routing',
    'is_write_index',
    'is_hidden',
    'must_exist',
  ],
  remove: ['index', 'indices', 'alias', 'aliases', 'must_exist'],
  remove_index: ['index', 'indices', 'must_exist'],
} as const

function texts(...given: readonly unknown[]): string[] {
  return given.flatMap((value) =>
    Array.isArray(value) ? value.map(scalarText) : value === undefined ? [] : [scalarText(value)],
  )
}

function isEmptyList(given: unknown): boolean {
  return Array.isArray(given) && given.length === 0
}

function find(request: RouteRequest, services: Services, names: readonly string[]): IndexMeta[] {
  const options = resolveOptions({}, allStates)
  const asked = { route: 'indices.update_aliases', privilege: 'manage', expression: names.join(','), options }
  const found = resolveAuthorized(request, services, asked).map(({ index }) => index)
  for (const index of found) refuseBlocked(index, 'metadata_write')
  return found
}

/** What is wrong with one of the actions, as of their list. */
function actionsError(cause: AppError): AppError {
  return memberError('aliases', 'actions', cause)
}

function planAction(entry: unknown, request: RouteRequest, services: Services): Plan {
  const [kind, body] = isObject(entry) ? (Object.entries(entry)[0] ?? []) : []
  if (kind === undefined || !Object.hasOwn(actionKeys, kind))
    throw actionsError(contentError(`[alias_action] unknown field [${kind}]`))
  if (!isObject(body))
    throw actionsError(contentError(`[alias_action] ${kind} doesn't support values of type: ${jsonToken(body)}`))
  const known: readonly string[] = actionKeys[kind as keyof typeof actionKeys]
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw actionsError(memberError('alias_action', kind, contentError(`[${kind}] unknown field [${unknown}]`)))
  const names = texts(body['index'], body['indices'])
  const aliases = texts(body['alias'], body['aliases'])
  if (names.length === 0) throw actionsError(illegalArgument('One of [index] or [indices] is required'))
  const found = find(request, services, names)
  if (kind === 'remove_index') return { changes: [], removed: found }
  if (isEmptyList(body['aliases']))
    throw new AppError(searchErrors.illegal_argument_exception, "[aliases] can't be empty")
  if (aliases.length === 0) throw actionsError(illegalArgument('One of [alias] or [aliases] is required'))
  if (kind === 'remove') return removals(found, aliases, body['must_exist'])
  const { index: _i, indices: _is, alias: _a, aliases: _as, ...definition } = body
  requireIndices(request.scope, 'indices.update_aliases', 'manage', aliases)
  const changes = found.flatMap((index) =>
    aliases.map((alias) => ({ index, alias, meta: parseAlias(alias, definition) })),
  )
  for (const { index, alias, meta } of changes) checkFilter(services, index, alias, meta)
  return { changes, removed: [] }
}

/** Refuses a filter that no search over the alias could be made with. */
function checkFilter({ catalogue, now }: Services, index: IndexMeta, alias: string, { filter }: AliasMeta): void {
  if (filter === undefined) return
  const fields = catalogue.fields(index)
  const context = createLowerContext({ index, fields, scope: { canSeeField: () => true }, nowMs: now() })
  try {
    context.lower(filter)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw new AppError(searchErrors.illegal_argument_exception, `failed to parse filter for alias [${alias}]`, {
      cause: thrown,
    })
  }
}

function removals(found: readonly IndexMeta[], aliases: readonly string[], mustExist: unknown): Plan {
  const wanted = nameMatcher(aliases.join(','))
  const changes = found.flatMap((index) =>
    Object.keys(index.aliases)
      .filter(wanted)
      .map((alias) => ({ index, alias, meta: undefined })),
  )
  if (changes.length > 0) return { changes, removed: [] }
  const missing = new AppError(searchErrors.aliases_not_found_exception, `aliases [${aliases.join(', ')}] missing`, {
    detail: { 'resource.type': 'aliases', 'resource.id': aliases.length === 1 ? aliases[0] : aliases },
  })
  if (mustExist === true || mustExist === 'true') throw missing
  return { changes, removed: [], missing }
}

const updateAliases = defineRoute({
  name: 'indices.update_aliases',
  methods: ['POST'],
  paths: ['/_aliases'],
  privilege: { index: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const { actions } = objectBody(request.json(), 'aliases')
    if (!Array.isArray(actions) || actions.length === 0) throw illegalArgument('No action specified')
    const plans = actions.map((entry) => planAction(entry, request, services))
    const [missing] = plans.flatMap((plan) => plan.missing ?? [])
    if (missing && plans.every((plan) => plan.missing)) throw missing
    await services.catalogue.putAliases(
      plans.flatMap(({ changes }) => changes),
      plans.flatMap(({ removed }) => removed),
    )
    return { json: { acknowledged: true, errors: false } }
  },
})

const definitionKeys = ['filter', 'routing', 'index_routing', 'search_routing', 'is_write_index', 'is_hidden']

const putAlias = defineRoute({
  name: 'indices.put_alias',
  methods: ['PUT', 'POST'],
  paths: [
    '/{index}/_alias/{name}',
    '/{index}/_aliases/{name}',
    '/_alias/{name}',
    '/_aliases/{name}',
    '/{index}/_alias',
    '/{index}/_aliases',
    '/_alias',
  ],
  privilege: { index: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    // The body's names win over those of the path.
    const { index, alias: inBody, ...definition } = objectBody(request.json() ?? {}, 'alias')
    const alias = texts(inBody)[0] ?? request.params['name']
    const names = texts(index)
      .concat(request.params['index'] ?? [])
      .slice(0, 1)
    if (alias === undefined) throw validationError('alias is missing')
    if (names.length === 0) throw validationError('index is missing')
    const found = find(request, services, names)
    requireIndices(request.scope, 'indices.put_alias', 'manage', [alias])
    const unknown = Object.keys(definition).find((key) => !definitionKeys.includes(key))
    if (unknown !== undefined) throw new AppError(searchErrors.illegal_argument_exception, `unknown field [${unknown}]`)
    const meta = parseAlias(alias, definition)
    for (const each of found) checkFilter(services, each, alias, meta)
    await services.catalogue.putAliases(found.map((index) => ({ index, alias, meta })))
    return { json: { acknowledged: true, errors: false } }
  },
})

const deleteAlias = defineRoute({
  name: 'indices.delete_alias',
  methods: ['DELETE'],
  paths: ['/{index}/_alias/{name}', '/{index}/_aliases/{name}'],
  privilege: { index: 'manage' },
  parameters: timeouts,
  async handle(request, services) {
    const names = (request.params['name'] ?? '').split(',')
    const found = indicesOf(request, services, 'indices.delete_alias', 'manage', allStates)
    const optional = names.every((name) => name.includes('*') || name === '_all')
    await services.catalogue.putAliases(removals(found, names, !optional).changes)
    return { json: { acknowledged: true, errors: false } }
  },
})

/** Whether an alias is asked for: names are tried one after the other, and `-name` takes away what those before it found. */
function aliasMatcher(expression: string | undefined): (name: string) => boolean {
  if (expression === undefined) return () => true
  const rules = expression.split(',').map((text) => {
    const takesAway = text.startsWith('-')
    return { takesAway, matches: nameMatcher(takesAway ? text.slice(1) : text) }
  })
  return (name) => rules.reduce((found, { takesAway, matches }) => (matches(name) ? !takesAway : found), false)
}

function aliasesByIndex(
  request: RouteRequest,
  services: Services,
): Record<string, { aliases: Record<string, AliasMeta> }> {
  const wanted = aliasMatcher(request.params['name'])
  const found = indicesOf(request, services, 'indices.get_alias', 'view_index_metadata', {
    ...allStates,
    ignoreUnavailable: false,
  })
  const named = request.params['name'] !== undefined
  const kept = found.filter((index) => !named || Object.keys(index.aliases).some(wanted))
  return byIndex(kept, (index) => ({
    aliases: shownAliases(Object.fromEntries(Object.entries(index.aliases).filter(([alias]) => wanted(alias)))),
  }))
}

const isPattern = (name: string): boolean => name.includes('*') || name === '_all'

/** The names that were asked for as such and are not there: no patterns, no exclusions after a pattern, and nothing that is excluded later. */
function missingAliases(request: RouteRequest, found: Readonly<Record<string, { aliases: object }>>): string[] {
  const there = new Set(Object.values(found).flatMap(({ aliases }) => Object.keys(aliases)))
  const names = request.params['name']?.split(',') ?? []
  const at = names.findIndex((name) => name.includes('*'))
  const firstPattern = at < 0 ? names.length : at
  const isExcluded = (name: string, from: number): boolean =>
    names.slice(from).some((later) => later.startsWith('-') && nameMatcher(later.slice(1))(name))
  return names
    .filter((name, place) => !isPattern(name) && !(place > firstPattern && name.startsWith('-')))
    .filter((name) => !there.has(name) && !isExcluded(name, Math.max(names.indexOf(name) + 1, firstPattern)))
    .sort()
}

const getAlias = defineRoute({
  name: 'indices.get_alias',
  methods: ['GET'],
  paths: ['/_alias', '/_aliases', '/_alias/{name}', '/{index}/_alias', '/{index}/_alias/{name}'],
  privilege: { index: 'view_index_metadata' },
  parameters: { ...indicesOptionParameters, local: 'boolean', master_timeout: 'time' },
  async handle(request, services) {
    const found = aliasesByIndex(request, services)
    const missing = missingAliases(request, found)
    if (missing.length === 0) return { json: found }
    const error = `alias${missing.length > 1 ? 'es' : ''} [${missing.join(',')}] missing`
    return { status: 404, json: { error, status: 404, ...found } }
  },
})

const existsAlias = defineRoute({
  name: 'indices.exists_alias',
  methods: ['HEAD'],
  paths: ['/_alias/{name}', '/{index}/_alias/{name}'],
  privilege: { index: 'view_index_metadata' },
  parameters: { ...indicesOptionParameters, local: 'boolean' },
  async handle(request, services) {
    const found = aliasesByIndex(request, services)
    return { status: Object.keys(found).length > 0 && missingAliases(request, found).length === 0 ? 200 : 404 }
  },
})

const resolveIndex = defineRoute({
  name: 'indices.resolve_index',
  methods: ['GET', 'POST'],
  paths: ['/_resolve/index/{index}'],
  privilege: { index: 'view_index_metadata' },
  parameters: indicesOptionParameters,
  async handle(request, services) {
    const found = indicesOf(request, services, 'indices.resolve_index', 'view_index_metadata', { expand: ['open'] })
    const wanted = nameMatcher(request.params['index'])
    const aliases = new Map<string, string[]>()
    const { wanted: needed } = needOf('indices.resolve_index', 'index', 'view_index_metadata')
    const mayResolve = ({ name }: { readonly name: string }) => request.scope.hasIndex(needed, name)
    for (const index of services.catalogue.indices()) {
      const mayIndex = mayResolve(index)
      for (const alias of Object.keys(index.aliases).filter(
        (name) => wanted(name) && (mayIndex || mayResolve({ name })),
      ))
        aliases.set(alias, [...(aliases.get(alias) ?? []), index.name])
    }
    const sorted = <T extends { name: string }>(items: T[]): T[] => items.sort((a, b) => (a.name < b.name ? -1 : 1))
    const streams = [...services.catalogue.dataStreams()].filter((stream) => wanted(stream.name) && mayResolve(stream))
    const json = {
      indices: sorted(
        found
          .filter((index) => mayResolve(index) && (index.dataStream === undefined || wanted(index.name)))
          .map(resolvedIndex),
      ),
      aliases: sorted([...aliases].map(([name, indices]) => ({ name, indices: indices.sort() }))),
      data_streams: sorted(
        streams.map(({ name, indices }) => ({ name, backing_indices: indices, timestamp_field: '@timestamp' })),
      ),
    }
    return { json }
  },
})

function resolvedIndex(index: IndexMeta) {
  const aliases = Object.keys(index.aliases).sort()
  return {
    name: index.name,
    ...(aliases.length > 0 ? { aliases } : {}),
    attributes: [...(index.hidden ? ['hidden'] : []), index.state === 'open' ? 'open' : 'closed'],
    ...(index.dataStream === undefined ? {} : { data_stream: index.dataStream }),
  }
}

/** Aliases, and what names resolve to. */
export const aliasRoutes: readonly Route[] = [updateAliases, putAlias, deleteAlias, getAlias, existsAlias, resolveIndex]
