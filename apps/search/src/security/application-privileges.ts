import { compilePattern } from '@logstack/rules'
import type { Store } from '../store/store.ts'
import type { ApplicationGrant, Role } from './role.ts'
import { applicationFaults, applicationNameFaults } from './role-faults.ts'

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

/** What is wrong with a privilege that is to be defined, in Elasticsearch's words; empty when nothing is. */
export function applicationPrivilegeFaults({ application, name, actions, metadata }: ApplicationPrivilege): string[] {
  return [
    ...applicationNameFaults(application, false),
    ...(/^[a-z][a-zA-Z0-9_.-]*$/u.test(name)
      ? []
      : [`Application privilege names must match the pattern ^[a-z][a-zA-Z0-9_.-]*$ (found '${name}')`]),
    ...(actions.length === 0 ? ['Application privileges must have at least one action'] : []),
    ...actions.flatMap((action) => {
      if (!isAction(action)) return [`action [${action}] must contain one of [ '/' , '*' , ':' ]`]
      return applicationFaults({ application: '*', privileges: [action], resources: [] })
    }),
    ...(Object.keys(metadata).some((key) => key.startsWith('_'))
      ? [`metadata keys may not start with [_] (in privilege ${application} ${name})`]
      : []),
  ]
}
