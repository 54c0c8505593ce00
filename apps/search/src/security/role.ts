import { AppError, searchErrors } from '@logstack/errors'
import { luceneRegexp } from '@logstack/rules'
import { z } from 'zod'
import { shownPattern } from '../patterns/shown-pattern.ts'
import type { PrivilegeLevel } from './privilege-actions.ts'
import { isAction, isPrivilege, unknownPrivilege } from './privileges.ts'
import { checkRoleQuery } from './role-query.ts'

const names = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (typeof given === 'string' ? [given] : given))

const indexGrantSchema = z.strictObject({
  names,
  privileges: names,
  query: z.unknown().optional(),
  field_security: z
    .strictObject({ grant: z.array(z.string()).optional(), except: z.array(z.string()).optional() })
    .optional(),
  allow_restricted_indices: z.boolean().optional(),
})

const applicationSchema = z.strictObject({
  application: z.string(),
  privileges: z.array(z.string()),
  resources: z.array(z.string()),
})

/** What a role grants within a program that keeps its own things behind search. */
export type ApplicationGrant = z.infer<typeof applicationSchema>

const roleSchema = z.strictObject({
  cluster: names.default([]),
  indices: z.array(indexGrantSchema).optional(),
  /** The old name of `indices`, which the API still takes. */
  index: z.array(indexGrantSchema).optional(),
  applications: z.array(applicationSchema).default([]),
  run_as: names.default([]),
  global: z.unknown().optional(),
  metadata: z.record(z.string(), z.unknown()).default({}),
  transient_metadata: z.record(z.string(), z.unknown()).default({ enabled: true }),
  description: z.string().optional(),
})

/** What a role grants on index names. */
export type RoleIndexGrant = z.infer<typeof indexGrantSchema>

/** A role, in the shape of Elasticsearch's role API. */
export interface Role {
  readonly cluster: readonly string[]
  readonly indices: readonly RoleIndexGrant[]
  readonly applications: readonly ApplicationGrant[]
  readonly run_as: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
  readonly transient_metadata: Readonly<Record<string, unknown>>
  readonly description?: string
}

/** The regular expression, of Lucene's syntax, that a name between slashes is; undefined for other names. */
export function expressionOf(name: string): string | undefined {
  return name.length > 2 && name.startsWith('/') && name.endsWith('/') ? name.slice(1, -1) : undefined
}

function checkNames({ indices, run_as }: Pick<Role, 'indices' | 'run_as'>): void {
  const ofIndices = indices.flatMap(({ names: own, field_security: fields }) => [
    ...own,
    ...(fields?.grant ?? []),
    ...(fields?.except ?? []),
  ])
  for (const name of [...ofIndices, ...run_as]) {
    const expression = expressionOf(name)
    const read = expression === undefined ? undefined : luceneRegexp(expression)
    if (read && 'error' in read)
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `failed to parse pattern [${shownPattern(name)}]: ${read.error}`,
      )
  }
}

/** A role as it is shown: Elasticsearch says of every grant whether it reaches restricted indices, also where that was not given. */
export function shownRole(role: Role): Role {
  const indices = role.indices.map((grant) => ({
    ...grant,
    allow_restricted_indices: grant.allow_restricted_indices ?? false,
  }))
  return { ...role, indices }
}

/** Reads the body of a role; unknown keys and privileges are refused with their names. */
export function readRole(body: unknown): Role {
  const parsed = roleSchema.safeParse(body ?? {})
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const at = issue?.path.join('.') ?? ''
    const named = issue?.code === 'unrecognized_keys' ? `unexpected field [${issue.keys.join(', ')}]` : issue?.message
    throw new AppError(searchErrors.parse_exception, `failed to parse role${at ? ` at [${at}]` : ''}: ${named}`)
  }
  const { index, indices, global: _global, description, ...rest } = parsed.data
  const role = { ...rest, indices: indices ?? index ?? [], ...(description === undefined ? {} : { description }) }
  checkNames(role)
  for (const { query } of role.indices) if (query !== undefined && query !== null) checkRoleQuery(query)
  for (const privilege of role.cluster) checkPrivilege('cluster', privilege)
  for (const grant of role.indices) for (const privilege of grant.privileges) checkPrivilege('index', privilege)
  return role
}

function checkPrivilege(level: PrivilegeLevel, name: string): void {
  if (isPrivilege(level, name) || isAction(name)) return
  throw unknownPrivilege(level, name)
}
