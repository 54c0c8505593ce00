import { AppError, searchErrors } from '@logstack/errors'
import { jsonToken } from '../json/json-token.ts'
import { parseFault } from './body-fields.ts'
import { readRole } from './read-role.ts'
import type { ApplicationGrant, RoleIndexGrant } from './role.ts'
import { applicationNameFaults } from './role-faults.ts'

/** Which privileges somebody asks whether it has them. */
export interface PrivilegeCheck {
  readonly cluster: readonly string[]
  readonly indices: readonly RoleIndexGrant[]
  readonly applications: readonly ApplicationGrant[]
  /** What is wrong with it beside its form, in Elasticsearch's words. */
  readonly faults: readonly string[]
}

/** Reads the body of a question about the privileges of a user: what a role would grant, without a name and without queries. Throws `parse_exception`. */
export function readPrivilegeCheck(username: string, body: unknown): PrivilegeCheck {
  const name = `${username}/has_privileges`
  const failed = (problem: string) => parseFault(`failed to parse privileges check [${name}]. ${problem}`)
  if (body === undefined) throw parseFault('request body or source parameter is required')
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw failed(`expected an object but found [${jsonToken(body)}] instead`)
  const given: Readonly<Record<string, unknown>> = { ...body }
  const unknown = Object.keys(given).find(
    (field) => !['cluster', 'index', 'indices', 'application', 'applications'].includes(field),
  )
  if (unknown !== undefined) throw failed(`unexpected field [${unknown}]`)
  const { cluster, index, indices = index, application, applications = application } = given
  if ((cluster ?? undefined) === undefined && indices === undefined && applications === undefined)
    throw failed('All privilege fields [cluster,index,applications] are missing')
  const asked = readRole(
    { name, ofKey: true, queriesAsTheyAre: true },
    {
      ...(cluster === undefined ? {} : { cluster }),
      ...(indices === undefined ? {} : { index: indices }),
      ...(applications === undefined ? {} : { applications }),
    },
  )
  for (const grant of asked.indices)
    for (const field of ['query', 'field_security'] as const)
      if (grant[field] !== undefined)
        throw new AppError(
          searchErrors.parse_exception,
          `Field [${field}] is not supported in a has_privileges request`,
        )
  const count = asked.cluster.length + asked.indices.length + asked.applications.length
  const faults = [
    ...(count === 0 ? ['must specify at least one privilege'] : []),
    ...asked.applications.flatMap((each) => applicationNameFaults(each.application, false)),
  ]
  return { cluster: asked.cluster, indices: asked.indices, applications: asked.applications, faults }
}
