import { compilePattern } from '@logstack/rules'
import { isRestricted, type Principal, type Scope } from '../model/scope.ts'
import { type Granted, grantedBy } from './privileges.ts'
import { type ApplicationGrant, expressionOf, type Role, type RoleIndexGrant } from './role.ts'
import { roleQueryOf } from './role-query.ts'

/** The data stream a backing index belongs to, by its name: what is granted on the stream holds for the index. */
function grantedNames(index: string): readonly string[] {
  const stream = /^\.ds-(.+)-\d{4}\.\d{2}\.\d{2}-\d{6}$/.exec(index)?.[1]
  return stream === undefined ? [index] : [index, stream]
}

interface Grant {
  readonly covers: (index: string) => boolean
  readonly privileges: Granted
  /** Undefined: every document. */
  readonly query: (() => unknown) | undefined
  readonly sees: (path: string) => boolean
  readonly limitsFields: boolean
}

/** The other names of an index: its aliases and its data stream. */
export type AliasesOf = (index: string) => readonly string[]

/**
 * The scope of a principal: the union of what its roles grant. Whoever may read an index only by an alias sees of it what the alias is granted with.
 */
export function scopeOfRoles(principal: Principal, roles: readonly Role[], aliasesOf: AliasesOf = () => []): Scope {
  const cluster = grantedBy(
    'cluster',
    roles.flatMap((role) => role.cluster),
  )
  const grants = roles.flatMap((role) => role.indices.map((grant) => compileGrant(grant, principal)))
  const readingBy = (name: string): Grant[] => grants.filter((grant) => reads(grant.privileges) && grant.covers(name))
  const reading = (index: string): Grant[] => {
    const direct = readingBy(index)
    return direct.length > 0 ? direct : aliasesOf(index).flatMap(readingBy)
  }
  const applications = roles.flatMap((role) => role.applications.map(compileApplication))
  const showing = (name: string): Grant[] =>
    [name, ...aliasesOf(name)].flatMap((each) =>
      grants.filter((grant) => shows(grant.privileges) && grant.covers(each)),
    )
  return {
    principal,
    hasCluster: (privilege) => cluster.has(privilege),
    hasIndex: (privilege, index) => grants.some((grant) => grant.privileges.has(privilege) && grant.covers(index)),
    hasAnyIndex: (privilege) => grants.some((grant) => grant.privileges.has(privilege)),
    hasApplication: (privilege, application, resource) =>
      applications.some((grants) => grants(privilege, application, resource)),
    mayRunAs: (username) => roles.some((role) => role.run_as.some((name) => nameTest(name)(username))),
    documentFilters(index) {
      const granting = reading(index)
      // Who may not read an index sees none of its documents, however its name came into a request.
      if (granting.length === 0) return [{ match_none: {} }]
      // One grant without a query shows every document.
      if (granting.some(({ query }) => query === undefined)) return []
      const queries = granting.map(({ query }) => query?.())
      return queries.length === 1 ? queries : [{ bool: { should: queries, minimum_should_match: 1 } }]
    },
    canSeeField: (index, path) => isMetadata(path) || reading(index).some((grant) => grant.sees(path)),
    canSeeFieldName: (index, path) => isMetadata(path) || showing(index).some((grant) => grant.sees(path)),
    limitsFields: (index) => reading(index).every((grant) => grant.limitsFields),
    limitsFieldNames: (index) => showing(index).every((grant) => grant.limitsFields),
  }
}

/** What a document has beside its fields; a field of a mapping may begin with an underscore, too. */
const metadata = new Set(['_id', '_index', '_routing', '_ignored', '_seq_no', '_version', '_source', '_score', '_doc'])

function isMetadata(path: string): boolean {
  return metadata.has(path)
}

/** Whether documents are read by it: a role may name an action alone. */
function reads(privileges: Granted): boolean {
  return readActions.some((action) => privileges.has(action))
}

const readActions = ['search', 'get', 'mget', 'esql', 'eql', 'explain', 'tv', 'scroll', 'open_point_in_time'].map(
  (name) => `indices:data/read/${name}`,
)

function shows(privileges: Granted): boolean {
  return reads(privileges) || showActions.some((action) => privileges.has(action))
}

const showActions = ['indices:data/read/field_caps', 'indices:admin/mappings/get', 'indices:admin/get']

/** The scope of an API key: what both the key and its owner may do. */
export function narrowedScope(principal: Principal, own: Scope, limit: Scope): Scope {
  return {
    principal,
    hasCluster: (privilege) => own.hasCluster(privilege) && limit.hasCluster(privilege),
    hasIndex: (privilege, index) => own.hasIndex(privilege, index) && limit.hasIndex(privilege, index),
    hasAnyIndex: (privilege) => [own, limit].every((scope) => scope.hasAnyIndex?.(privilege) ?? true),
    hasApplication: (...asked) => [own, limit].every((scope) => scope.hasApplication?.(...asked) ?? false),
    mayRunAs: (username) => [own, limit].every((scope) => scope.mayRunAs?.(username) ?? false),
    documentFilters: (index) => [...own.documentFilters(index), ...limit.documentFilters(index)],
    canSeeField: (index, path) => own.canSeeField(index, path) && limit.canSeeField(index, path),
    canSeeFieldName: (index, path) => [own, limit].every((scope) => scope.canSeeFieldName?.(index, path) ?? true),
    limitsFields: (index) => [own, limit].some((scope) => scope.limitsFields?.(index) ?? false),
    limitsFieldNames: (index) => [own, limit].some((scope) => scope.limitsFieldNames?.(index) ?? false),
  }
}

/** The scope of search's own work: everything. */
export const systemScope: Scope = {
  principal: { username: '_system', roles: ['superuser'], realm: 'reserved' },
  hasCluster: () => true,
  hasIndex: () => true,
  documentFilters: () => [],
  canSeeField: () => true,
}

function compileGrant(grant: RoleIndexGrant, principal: Principal): Grant {
  const patterns = grant.names.map(nameTest)
  const restricted = grant.allow_restricted_indices ?? false
  const { grant: shown = ['*'], except = [] } = grant.field_security ?? {}
  const shownPatterns = shown.map(nameTest)
  // What is hidden takes along all below it: `secret` also `secret.keyword`.
  const hiddenPatterns = except.flatMap((name) => [name, `${name}.*`]).map(nameTest)
  return {
    covers: (index) =>
      grantedNames(index).some((name) => (restricted || !isRestricted(name)) && patterns.some((fits) => fits(name))),
    privileges: grantedBy('index', grant.privileges),
    query: grant.query === undefined || grant.query === null ? undefined : () => roleQueryOf(grant.query, principal),
    limitsFields: grant.field_security !== undefined,
    sees: (path) => shownPatterns.some((fits) => fits(path)) && !hiddenPatterns.some((fits) => fits(path)),
  }
}

function compileApplication({ application, privileges, resources }: ApplicationGrant) {
  const [names, granted, places] = [[application], privileges, resources].map((each) => each.map(nameTest))
  const fits = (tests: readonly ((text: string) => boolean)[] = [], text: string) => tests.some((test) => test(text))
  return (privilege: string, name: string, resource: string): boolean =>
    fits(names, name) && fits(granted, privilege) && fits(places, resource)
}

/** Names take `*` and `?`; a name between slashes is a regular expression. */
function nameTest(name: string): (text: string) => boolean {
  const expression = expressionOf(name)
  if (expression !== undefined) return compilePattern({ kind: 'regexp', text: expression, caseInsensitive: false })
  return compilePattern({ kind: 'wildcard', text: name.replaceAll('\\', '\\\\'), caseInsensitive: false })
}

/** The scope of a request that needs no login: nothing. */
export const anonymousScope: Scope = {
  principal: { username: '_anonymous', roles: [], realm: 'reserved' },
  hasCluster: () => false,
  hasIndex: () => false,
  documentFilters: () => [],
  canSeeField: () => false,
}
