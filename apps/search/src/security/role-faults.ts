import { luceneRegexp } from '@logstack/rules'
import { shownPattern } from '../patterns/shown-pattern.ts'
import type { PrivilegeLevel } from './privilege-actions.ts'
import { isAction, isPrivilege, unknownPrivilege } from './privileges.ts'
import type { ApplicationGrant, Role } from './role.ts'
import { expressionOf } from './role.ts'

const descriptionLengthMax = 1000

/** What is wrong with a role that could be read, in Elasticsearch's words and order; empty when nothing is. */
export function roleFaults(role: Role): string[] {
  const { indices, remote_indices = [], metadata, description } = role
  const grants = [...indices, ...remote_indices]
  return [
    ...privilegeFaults('cluster', role.cluster),
    ...grants.flatMap(({ names, privileges }) => [
      ...privilegeFaults('index', privileges),
      ...names.flatMap(nameFaults),
    ]),
    ...role.applications.flatMap(applicationFaults),
    ...expressionsOf(role).flatMap(expressionFaults),
    ...(Object.keys(metadata).some((key) => key.startsWith('_'))
      ? ['role descriptor metadata keys may not start with [_]']
      : []),
    ...((description?.length ?? 0) > descriptionLengthMax
      ? [`Role description must be less than ${descriptionLengthMax} characters.`]
      : []),
  ]
}

/** What may be an expression beside the names of indices: who has a role that cannot be compiled could not log in. */
function expressionsOf({ indices, applications, run_as }: Role): readonly string[] {
  const fields = indices.flatMap(({ field_security: { grant = [], except = [] } = {} }) => [...grant, ...except])
  const ofApplications = applications.flatMap((grant) => [grant.application, ...grant.privileges, ...grant.resources])
  return [...fields, ...ofApplications, ...run_as]
}

function expressionFaults(name: string): string[] {
  const expression = expressionOf(name)
  return expression === undefined || !('error' in luceneRegexp(expression)) ? [] : [brokenPattern(name)]
}

function brokenPattern(name: string): string {
  return `invalid regular expression pattern [${shownPattern(name)}]`
}

function privilegeFaults(level: PrivilegeLevel, names: readonly string[]): string[] {
  const unknown = names.filter((name) => !isPrivilege(level, name) && !isAction(level, name))
  return unknown.map((name) => unknownPrivilege(level, name).message)
}

function nameFaults(name: string): string[] {
  if (!name.startsWith('/') || name === '//') return []
  return expressionOf(name) === undefined ? [brokenPattern(name)] : expressionFaults(name)
}

/** What is wrong with the name of an application, which may be a pattern where one is granted. */
export function applicationNameFaults(name: string, mayBePattern: boolean): string[] {
  if (/\s/u.test(name)) return [`Application names may not contain whitespace (found '${name}')`]
  if (name.includes('*') && !mayBePattern) return [`Application names may not contain '*' (found '${name}')`]
  if (name === '*') return []
  const [, prefix = '', suffix = ''] = /^([^-_]*)(?:[-_](.*))?$/su.exec(name) ?? []
  const isPattern = name.includes('*')
  const stem = prefix.replace(/\*.*$/su, '')
  if (!/^[a-z][A-Za-z0-9]*$/u.test(stem))
    return [`An application name prefix must match the pattern ^[a-z][A-Za-z0-9]*$ (found '${stem}')`]
  if (!isPattern && prefix.length < 3)
    return [`An application name prefix must be at least 3 characters long (found '${prefix}')`]
  if (/[ "*,/<>?\\|]/u.test(suffix.replace(/\*$/u, '')))
    return [
      `An application name suffix may not contain any of the characters '[' ','"','*',',','/','<','>','?','\\','|']' (found '${suffix}')`,
    ]
  return []
}

/** What is wrong with the names that are granted of an application. */
export function applicationFaults({ application, privileges }: ApplicationGrant): string[] {
  const wrong = privileges.find((name) => !/^[\x21-\x7e]*$/u.test(name))
  const faults = applicationNameFaults(application, true)
  if (faults.length > 0 || wrong === undefined) return faults
  return [`Application privilege names and actions must match the pattern ^\\p{Graph}*$ (found '${wrong}')`]
}
