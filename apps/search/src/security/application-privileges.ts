import { AppError, searchErrors } from '@logstack/errors'
import { compilePattern } from '@logstack/rules'
import type { Store } from '../indices/store.ts'
import type { ApplicationGrant, Role } from './role.ts'

/** A privilege that a program defines for itself: a name for what it calls its actions. */
export interface ApplicationPrivilege {
  readonly application: string
  readonly name: string
  readonly actions: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The privileges that programs define. Every change is durable when its promise resolves. */
export interface ApplicationPrivileges {
  /** All of them, by application and name. */
  list(): readonly ApplicationPrivilege[]
  get(application: string, name: string): ApplicationPrivilege | undefined
  /** Which of them are new. */
  put(privileges: readonly ApplicationPrivilege[]): Promise<readonly boolean[]>
  /** The names that there were. */
  remove(application: string, names: readonly string[]): Promise<readonly string[]>
}

const keyOf = (application: string, name: string): string => `${application}/${name}`

/** Keeps them in the catalogue's store. */
export function createApplicationPrivileges(store: Store): ApplicationPrivileges {
  const kept = store.collection<ApplicationPrivilege>('security_privilege')
  return {
    list: () => [...kept.entries()].map(([, privilege]) => privilege),
    get: (application, name) => kept.get(keyOf(application, name)),
    async put(privileges) {
      const keys = privileges.map(({ application, name }) => keyOf(application, name))
      const isNew = keys.map((key) => kept.get(key) === undefined)
      await store.transaction(() => {
        for (const privilege of privileges) kept.put(keyOf(privilege.application, privilege.name), privilege)
      })
      return isNew
    },
    async remove(application, names) {
      const found = names.filter((name) => kept.get(keyOf(application, name)) !== undefined)
      await store.transaction(() => {
        for (const name of found) kept.remove(keyOf(application, name))
      })
      return found
    },
  }
}

/** A role with the actions of the defined privileges that it grants, for each application on its own. */
export function withActions(role: Role, privileges: Pick<ApplicationPrivileges, 'list'>): Role {
  // Who may do everything need not be told what that is: this is asked at every request.
  const named = role.applications.filter((grant) => !grant.privileges.includes('*'))
  if (named.length === 0) return role
  const defined = privileges.list()
  const added = named.flatMap((grant) => actionsOf(grant, defined))
  return added.length === 0 ? role : { ...role, applications: [...role.applications, ...added] }
}

function actionsOf(
  { application, privileges, resources }: ApplicationGrant,
  defined: readonly ApplicationPrivilege[],
): ApplicationGrant[] {
  const fits = compilePattern({ kind: 'wildcard', text: application, caseInsensitive: false })
  return defined
    .filter((each) => privileges.includes(each.name) && fits(each.application))
    .map((each) => ({ application: each.application, privileges: [...each.actions], resources }))
}

/** Whether a text is a pattern of actions instead of a privilege's name. */
function isAction(text: string): boolean {
  return /[/*:]/u.test(text)
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

/** Throws `illegal_argument_exception` for what cannot be the name of an application. */
function checkApplication(name: string): void {
  const [, prefix = '', suffix] = /^([^-_]*)(?:[-_](.*))?$/su.exec(name) ?? []
  if (prefix.length < 3)
    throw invalid(`An application name prefix must be at least 3 characters long (found '${prefix}')`)
  if (!/^[a-z][A-Za-z0-9]*$/u.test(prefix))
    throw invalid(`An application name prefix must match the pattern ^[a-z][A-Za-z0-9]*$ (found '${prefix}')`)
  if (suffix !== undefined && /[\s\\/*?"<>|,]/u.test(suffix))
    throw invalid(`An application name suffix may not contain any of the characters '\\/*?"<>|,' (found '${suffix}')`)
}

/** Throws `illegal_argument_exception` for a privilege that cannot be defined. */
export function checkApplicationPrivilege({ application, name, actions }: ApplicationPrivilege): void {
  checkApplication(application)
  if (!/^[a-z][a-zA-Z0-9_.-]*$/u.test(name))
    throw invalid(`Application privilege names must match the pattern ^[a-z][a-zA-Z0-9_.-]*$ (found '${name}')`)
  if (actions.length === 0) throw invalid('Application privileges must have at least one action')
  const wrong = actions.find((action) => !isAction(action))
  if (wrong !== undefined) throw invalid(`action [${wrong}] must contain one of [ '/' , '*' , ':' ]`)
}
