import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { jsonToken } from '../json/json-token.ts'
import { parseFault, readTexts } from './body-fields.ts'
import type { ApplicationGrant, RemoteClusterGrant, RemoteIndexGrant, Role, RoleIndexGrant } from './role.ts'
import { expressionOf } from './role.ts'
import { checkRoleQuery } from './role-query.ts'

type Body = Readonly<Record<string, unknown>>
const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of which role a body is. */
interface Place {
  /** For the errors. */
  readonly name: string
  /** The roles of keys have fewer members. */
  readonly ofKey?: boolean
  /** Queries are not looked at: they are for others, or refused anyway. */
  readonly queriesAsTheyAre?: boolean
}

/** Reads the body of a role. Throws `parse_exception`; what names mean is not looked at, see `roleFaults`. */
export function readRole(place: Place, body: unknown): Role {
  if (!isBody(body))
    throw parseFault(`failed to parse role [${place.name}]. expected an object but found [${jsonToken(body)}] instead`)
  const role = { ...noRole }
  for (const [field, value] of Object.entries(body)) Object.assign(role, readMember(place, field, value))
  return role
}

const noRole: Role = {
  cluster: [],
  indices: [],
  applications: [],
  run_as: [],
  metadata: {},
  transient_metadata: { enabled: true },
}

function readMember(place: Place, field: string, value: unknown): Partial<Role> {
  const members = place.ofKey === true ? keyMembers : roleMembers
  const read = Object.hasOwn(members, field) ? members[field] : undefined
  if (!read) throw parseFault(`failed to parse role [${place.name}]. unexpected field [${field}]`)
  return read(value, place)
}

type Read = (value: unknown, place: Place) => Partial<Role>

const keyMembers: Readonly<Record<string, Read>> = {
  cluster: (value, place) => ({ cluster: names('cluster', value, place) }),
  indices: (value, place) => ({
    indices: list('indices', 'indices', value, place).map((one, at) => readGrant(one, at, place)),
  }),
  // The old name, which the API still takes.
  index: (value, place) => ({
    indices: list('indices', 'index', value, place).map((one, at) => readGrant(one, at, place)),
  }),
  applications: (value, place) => ({
    applications: list('application', 'applications', value, place).map((one) => readApplication(one, place)),
  }),
  run_as: (value, place) => ({ run_as: names('run_as', value, place) }),
  global: (value) => readGlobal(value),
  metadata: (value) => ({ metadata: readObject('metadata', value) }),
  // It is always the same and only shown.
  transient_metadata: (value, { name }) => {
    if (isBody(value)) return {}
    throw parseFault(`failed to parse role [${name}]. unexpected field [transient_metadata]`)
  },
  remote_indices: (value, place) => {
    const read = list('remote indices', 'remote_indices', value, place).map((one, at) => readRemote(one, at, place))
    return read.length === 0 ? {} : { remote_indices: read }
  },
  remote_cluster: (value, place) => {
    const read = list('remote_cluster', 'remote_cluster', value, place).map((one) => readRemoteCluster(one, place))
    return read.length === 0 ? {} : { remote_cluster: read }
  },
}

const roleMembers: Readonly<Record<string, Read>> = {
  ...keyMembers,
  description(value) {
    if (typeof value !== 'object' && value !== undefined) return value === '' ? {} : { description: String(value) }
    throw new AppError(searchErrors.illegal_argument_exception, `Expected text but found ${jsonToken(value)}`)
  },
}

/** A list of texts that is a member of a role; null is an empty one. */
function names(field: string, value: unknown, { name }: Place): string[] {
  if (value === null) return []
  try {
    return readTexts(field, value)
  } catch (thrown) {
    throw parseFault(`failed to parse role [${name}]`, thrown)
  }
}

/** As `names`, and one text alone is a list of it. */
function oneOrMore(field: string, value: unknown, place: Place): string[] {
  return typeof value === 'string' ? [value] : names(field, value, place)
}

function readObject(field: string, value: unknown): Body {
  if (isBody(value)) return value
  throw parseFault(`expected field [${field}] to be of type object, but found [${jsonToken(value)}] instead`)
}

function list(kind: string, field: string, value: unknown, { name }: Place): unknown[] {
  if (Array.isArray(value)) return value
  const privileges = kind === 'remote_cluster' ? kind : `${kind} privileges`
  throw parseFault(
    `failed to parse ${privileges} for role [${name}]. expected field [${field}] value to be an array, but found [${jsonToken(value)}] instead`,
  )
}

/** The error of a grant on indices. */
type Fault = (problem: string, cause?: unknown) => AppError

function readGrant(
  given: unknown,
  at: number,
  place: Place,
  kind = 'indices',
  others: readonly string[] = [],
): RoleIndexGrant {
  const fault: Fault = (problem, cause) =>
    parseFault(`failed to parse ${kind} privileges for role [${place.name}]${problem}`, cause)
  if (!isBody(given))
    throw fault(
      `. expected field [${kind}] value to be an array of objects, but found an array element of type [${jsonToken(given)}]`,
    )
  const known = ['names', 'privileges', 'query', 'field_security', 'allow_restricted_indices', ...others]
  const unknown = Object.keys(given).find((field) => !known.includes(field))
  if (unknown !== undefined) throw fault(`. unexpected field [${unknown}]`)
  const { names: named, privileges, query, field_security: fields, allow_restricted_indices: restricted } = given
  const read = {
    names: readIndexNames(named, place, fault),
    privileges: readPrivileges(privileges, place, fault),
    ...(fields === undefined ? {} : { field_security: readFieldSecurity(fields, place, fault) }),
    ...readQuery(query, fault),
    ...(restricted === undefined ? {} : { allow_restricted_indices: readRestricted(restricted, fault) }),
  }
  if (read.query !== undefined && place.queriesAsTheyAre !== true) checkQuery(read.query, read.names, at)
  return read
}

function readIndexNames(given: unknown, place: Place, fault: Fault): string[] {
  if (given === undefined) throw fault('. missing required [names] field')
  if (typeof given !== 'string' && !Array.isArray(given))
    throw fault(
      `. expected field [names] value to be a string or an array of strings, but found [${jsonToken(given)}] instead`,
    )
  const read = oneOrMore('names', given, place)
  if (read.length === 0) throw fault('. [names] cannot be an empty array')
  return read
}

function readPrivileges(given: unknown, place: Place, fault: Fault): string[] {
  if (given === undefined) throw fault('. missing required [privileges] field')
  const read = names('privileges', given, place)
  if (read.length > 0) return read
  throw new AppError(searchErrors.illegal_argument_exception, 'indices privileges must define at least one privilege')
}

function readQuery(given: unknown, fault: Fault): { query?: unknown } {
  if (given === undefined || given === null || given === '') return {}
  if (typeof given === 'number' || typeof given === 'boolean')
    throw fault(
      `. expected field [query] value to be null, a string, an array, or an object, but found [${jsonToken(given)}] instead`,
    )
  return { query: given }
}

function readRestricted(given: unknown, fault: Fault): boolean {
  if (typeof given === 'boolean') return given
  throw fault(
    `. expected field [allow_restricted_indices] value to be a boolean, but found [${jsonToken(given)}] instead`,
  )
}

function readFieldSecurity(given: unknown, place: Place, fault: Fault): NonNullable<RoleIndexGrant['field_security']> {
  if (!isBody(given)) throw fault(`. expected START_OBJECT but got ${jsonToken(given)} in "field_security".`)
  const entries = Object.entries(given)
  if (entries.length === 0) throw fault('. "field_security" must not be empty.')
  for (const [option, value] of entries) {
    if (option !== 'grant' && option !== 'except')
      throw fault(`. "field_security" only accepts options grant and except, but got: ${option}`)
    if (value === null) throw fault(`. ${option} must not be null.`)
  }
  const { grant, except } = given
  const read = {
    ...(grant === undefined ? {} : { grant: names('grant', grant, place) }),
    ...(except === undefined ? {} : { except: names('except', except, place) }),
  }
  if (read.grant === undefined) throw fault('. field_security requires grant if except is given')
  checkExceptions(read.grant, read.except ?? [], fault)
  return read
}

/** What is excepted must be of what is granted; of regular expressions that is not asked. */
function checkExceptions(grant: readonly string[], except: readonly string[], fault: Fault): void {
  if ([...grant, ...except].some((name) => expressionOf(name) !== undefined)) return
  const outside = except.find((name) => !grant.some((granted) => fitsStars(name, granted)))
  if (outside === undefined) return
  const reason = `Exceptions for field permissions must be a subset of the granted fields but ${except.join(',')} is not a subset of ${grant.join(',')}`
  const entry = { ...searchErrors.security_exception, kind: 'invalid' } as const
  throw fault(` - ${reason}`, new AppError(entry, reason))
}

function checkQuery(query: unknown, indices: readonly string[], at: number): void {
  try {
    checkRoleQuery(query)
  } catch (thrown) {
    const where = `for indices [${indices.join(',')}] at index privilege [${at}] of role descriptor`
    throw parseFault(`failed to parse field 'query' ${where}`, thrown)
  }
}

function readApplication(given: unknown, { name }: Place): ApplicationGrant {
  const missing = (field: string) =>
    parseFault(`failed to parse application privileges for role [${name}]. missing required [${field}] field`)
  if (!isBody(given)) throw parseFault(`failed to parse application privileges for role [${name}]`)
  const { application, privileges, resources, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new AppError(searchErrors.x_content_parse_exception, `[application] unknown field [${unknown}]`)
  if (resources === undefined) throw missing('resources')
  if (privileges === undefined) throw missing('privileges')
  const texts = (field: string, value: unknown) => (typeof value === 'string' ? [value] : readTexts(field, value))
  const read = { application, privileges: texts('privileges', privileges), resources: texts('resources', resources) }
  const refused = (reason: string) =>
    new AppError(searchErrors.illegal_argument_exception, `application privileges must ${reason}`)
  if (typeof application !== 'string' || application === '') throw refused('have an application name')
  if (read.privileges.length === 0) throw refused('define at least one privilege')
  if (read.resources.length === 0) throw refused('refer to at least one resource')
  return { ...read, application }
}

function readRemote(given: unknown, at: number, place: Place): RemoteIndexGrant {
  const { clusters, ...grant } = isBody(given) ? given : {}
  if (clusters === undefined)
    throw parseFault(
      `failed to parse remote indices privileges for role [${place.name}]. missing required [clusters] field`,
    )
  // A query is for the other cluster to understand.
  return {
    ...readGrant(grant, at, { ...place, queriesAsTheyAre: true }, 'remote indices'),
    clusters: oneOrMore('clusters', clusters, place),
  }
}

const remoteClusterPrivileges = ['monitor_enrich', 'monitor_stats']

function readRemoteCluster(given: unknown, place: Place): RemoteClusterGrant {
  const { privileges, clusters } = isBody(given) ? given : {}
  const fault = (problem: string) => parseFault(`failed to parse remote_cluster for role [${place.name}]. ${problem}`)
  if (privileges === undefined) throw fault('[privileges] must be defined when [clusters] are defined ')
  if (clusters === undefined) throw fault('[clusters] must be defined when [privileges] are defined ')
  const read = oneOrMore('privileges', privileges, place)
  const unknown = read.find((name) => !remoteClusterPrivileges.includes(name))
  if (unknown !== undefined)
    throw fault(
      `[${remoteClusterPrivileges.join(', ')}] are the only values allowed for [privileges] within [remote_cluster]. Found [${unknown}]`,
    )
  return { privileges: read, clusters: oneOrMore('clusters', clusters, place) }
}

const globalMembers = ['application', 'profile', 'role'] as const

function readGlobal(given: unknown): Partial<Role> {
  const fault = (expected: string, found: string) =>
    new AppError(
      searchErrors.x_content_parse_exception,
      `failed to parse privilege. expected ${expected} but found [${found}] instead`,
    )
  if (!isBody(given)) throw fault('[START_OBJECT]', jsonToken(given))
  const unknown = Object.keys(given).find((name) => !globalMembers.some((known) => known === name))
  if (unknown !== undefined) throw fault(`one of [${globalMembers.join(',')}]`, unknown)
  for (const value of Object.values(given)) {
    if (!isBody(value)) throw fault('[START_OBJECT]', jsonToken(value))
    for (const inner of Object.values(value))
      if (isBody(inner) && Object.keys(inner).length === 0) throw fault('[FIELD_NAME]', 'END_OBJECT')
  }
  const isEmpty = Object.values(given).every((value) => isBody(value) && Object.keys(value).length === 0)
  if (isEmpty) return {}
  return { global: Object.fromEntries(globalMembers.map((name) => [name, given[name] ?? {}])) }
}
