import { AppError, searchErrors } from '@logstack/errors'
import { compilePattern, luceneRegexp } from '@logstack/rules'
import { z } from 'zod'
import { keptFrom } from '../indices/kept-from.ts'
import { parseTemplate, TemplateFault } from '../mustache/parse-template.ts'
import { renderTemplate } from '../mustache/render-template.ts'
import { validationError } from '../refusals/validation-error.ts'
import type { Collection, Store } from '../store/store.ts'
import { parseFault } from './body-fields.ts'
import type { UserRecord } from './records.ts'
import { expressionOf } from './role.ts'

/** The realms whose users can be given roles by rules. */
const realms = ['default_native', 'reserved'] as const
const rulesDepthMax = 32

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const templateSchema = z.strictObject({
  template: z.strictObject({ source: z.string() }),
  format: z.enum(['string', 'json']).default('string'),
})
const mappingSchema = z.strictObject({
  enabled: z.boolean(),
  roles: z.union([z.string().transform((name) => [name]), z.array(z.string().min(1))]).optional(),
  role_templates: z.array(templateSchema).optional(),
  rules: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()).default({}),
})

/** Gives users roles beside their own, as Elasticsearch's API has it. */
export type RoleMapping = z.infer<typeof mappingSchema>

type MappedUser = Pick<UserRecord, 'username' | 'metadata' | 'reserved'>
type RoleHolder = MappedUser & Pick<UserRecord, 'roles'>
type Test = (user: MappedUser) => boolean

function unreadable(reason: string): AppError {
  return new AppError(searchErrors.parsing_exception, `failed to parse role-mapping: ${reason}`)
}

/** Reads the body of a mapping. Throws for rules about what no user of these realms has. */
export function readRoleMapping(body: unknown): RoleMapping {
  if (body === undefined) throw parseFault('request body is required')
  const read = mappingSchema.safeParse(body)
  if (!read.success) {
    const issue = read.error.issues[0]
    const named = issue?.code === 'unrecognized_keys' ? `unknown field [${issue.keys.join(', ')}]` : issue?.message
    throw unreadable(`${issue?.path.join('.') ?? ''} ${named}`.trim())
  }
  const { roles, role_templates: templates = [], metadata, rules } = read.data
  if (roles !== undefined && templates.length > 0)
    throw unreadable('only one of [roles, role_templates] may be specified')
  // By itself it would give a role to everybody else.
  if ('except' in rules) throw unreadable('field [except] is not allowed outside of [all] and [any]')
  const faults = [
    ...((roles ?? []).length + templates.length === 0 ? ['role-mapping roles or role-templates are missing'] : []),
    ...(Object.keys(metadata).some((key) => key.startsWith('_')) ? ['metadata keys may not start with [_]'] : []),
  ]
  if (faults.length > 0) throw validationError(...faults)
  compileRule(read.data.rules, 0)
  for (const { template } of templates ?? []) parsedTemplate(template.source)
  return read.data
}

function parsedTemplate(source: string): ReturnType<typeof parseTemplate> {
  return readable(() => parseTemplate(source))
}

function filled(source: string, params: Readonly<Record<string, unknown>>): string {
  return readable(() => renderTemplate(parsedTemplate(source), params))
}

function readable<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof TemplateFault) throw unreadable(thrown.message)
    throw thrown
  }
}

function compileRule(rule: unknown, depth: number): Test {
  const entries = typeof rule === 'object' && rule !== null && !Array.isArray(rule) ? Object.entries(rule) : []
  const [entry] = entries
  if (!entry || entries.length > 1 || depth > rulesDepthMax)
    throw unreadable(`a rule is an object with one of [field, any, all, except], at most [${rulesDepthMax}] deep`)
  const [kind, body] = entry
  if (kind === 'field') return compileField(body)
  if (kind === 'except') {
    const inner = compileRule(body, depth + 1)
    return (user) => !inner(user)
  }
  if ((kind !== 'any' && kind !== 'all') || !Array.isArray(body)) throw unreadable(`unexpected rule [${kind}]`)
  const inner = body.map((each) => compileRule(each, depth + 1))
  return kind === 'any' ? (user) => inner.some((test) => test(user)) : (user) => inner.every((test) => test(user))
}

function compileField(body: unknown): Test {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : []
  const [entry] = entries
  if (!entry || entries.length > 1) throw unreadable('[field] must hold exactly one field')
  const [name, given] = entry
  if (name === 'dn' || name === 'groups')
    throw unreadable(`field [${name}] is not supported: no user of the realms [${realms.join(', ')}] has it`)
  if (name !== 'username' && name !== 'realm.name' && !name.startsWith('metadata.'))
    throw unreadable(`unknown field [${name}], there are [username, realm.name, metadata.*]`)
  const read = z.union([value, z.array(value)]).safeParse(given)
  if (!read.success)
    throw unreadable(`the value of field [${name}] must be a text, a number, a boolean or a list of these`)
  const values = Array.isArray(read.data) ? read.data : [read.data]
  if (name === 'realm.name') for (const each of values) requireRealm(each)
  const tests = values.map(compileValue)
  return (user) => fieldOf(user, name).some((own) => tests.some((test) => test(own)))
}

function requireRealm(given: unknown): void {
  if (typeof given !== 'string') throw unreadable('[realm.name] must be a text')
  if (given.includes('*') || expressionOf(given) !== undefined || realms.some((realm) => realm === given)) return
  throw unreadable(`realm [${given}] does not exist, there are [${realms.join(', ')}]`)
}

function compileValue(given: z.infer<typeof value>): (own: unknown) => boolean {
  if (typeof given !== 'string') return (own) => own === given || (given === null && own === undefined)
  const expression = expressionOf(given)
  if (expression !== undefined) {
    const read = luceneRegexp(expression)
    if ('error' in read) throw unreadable(`failed to parse pattern [${given}]: ${read.error}`)
  }
  const matches = compilePattern(
    expression === undefined
      ? { kind: 'wildcard', text: given.replaceAll('\\', '\\\\'), caseInsensitive: false }
      : { kind: 'regexp', text: expression, caseInsensitive: false },
  )
  return (own) => typeof own === 'string' && matches(own)
}

const realmNameOf = ({ reserved }: MappedUser): string => (reserved ? 'reserved' : 'default_native')

function fieldOf(user: MappedUser, name: string): readonly unknown[] {
  if (name === 'username') return [user.username]
  if (name === 'realm.name') return [realmNameOf(user)]
  const found = name
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (inner, step) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
          ? (inner as Readonly<Record<string, unknown>>)[step]
          : undefined,
      user.metadata,
    )
  return Array.isArray(found) ? found : [found]
}

/** The mappings in the catalogue's store. */
export interface RoleMappings {
  all(): ReadonlyMap<string, RoleMapping>
  /** True when it is new. */
  put(name: string, mapping: RoleMapping): Promise<boolean>
  /** True when there was one. */
  remove(name: string): Promise<boolean>
  /** The own roles of a user, as stored, and those of the mappings that fit. */
  rolesOf(user: RoleHolder): readonly string[]
}

/** Makes the mappings; they are read once and again after each change. */
export function createRoleMappings(store: Store): RoleMappings {
  const records: Collection<RoleMapping> = store.collection('security_role_mapping')
  const enabled = keptFrom(records, (entries) =>
    [...entries].flatMap(([, mapping]) => (mapping.enabled ? [{ fits: compileRule(mapping.rules, 0), mapping }] : [])),
  )
  const change = (work: () => void): Promise<void> => store.transaction(work)
  const rolesOf = (user: RoleHolder): readonly string[] => {
    const given = enabled().flatMap(({ fits, mapping }) => (fits(user) ? rolesOfMapping(mapping, user) : []))
    return given.length === 0 ? user.roles : [...new Set([...user.roles, ...given])]
  }
  const users: Collection<UserRecord> = store.collection('security_user')
  let known: { readonly asOf: string; readonly roles: Map<string, readonly string[]> } | undefined
  /** Of users as they are stored: thousands of rules are not tried at each request. */
  const knownRoles = () => {
    const asOf = `${records.version()} ${users.version()}`
    if (known?.asOf !== asOf) known = { asOf, roles: new Map() }
    return known.roles
  }
  return {
    all: () => new Map(records.entries()),
    async put(name, mapping) {
      const isNew = records.get(name) === undefined
      await change(() => records.put(name, mapping))
      return isNew
    },
    async remove(name) {
      if (records.get(name) === undefined) return false
      await change(() => records.remove(name))
      return true
    },
    rolesOf(user) {
      if (enabled().length === 0) return user.roles
      const roles = knownRoles()
      const found = roles.get(user.username) ?? rolesOf(user)
      roles.set(user.username, found)
      return found
    },
  }
}

function rolesOfMapping({ roles = [], role_templates: templates = [] }: RoleMapping, user: MappedUser): string[] {
  const { username, metadata } = user
  const params = { username, metadata, realm: { name: realmNameOf(user) }, groups: [] }
  const rendered = templates.flatMap(({ template, format }) => {
    const text = filled(template.source, params)
    return format === 'json' ? namesIn(text) : [text]
  })
  return [...roles, ...rendered.filter((name) => name !== '')]
}

/** What is no list of names gives no role. */
function namesIn(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    const names = Array.isArray(parsed) ? parsed : [parsed]
    return names.filter((name) => typeof name === 'string')
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return []
    throw thrown
  }
}
