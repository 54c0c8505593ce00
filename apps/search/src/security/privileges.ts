import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { type PrivilegeActions, type PrivilegeLevel, privilegeTables } from './privilege-actions.ts'

/** What a list of granted privileges comes to. */
export interface Granted {
  /** Whether it lets through an action by its name, or what begins as a pattern does, or all that a privilege by its name does. */
  has(wanted: string): boolean
}

/** Whether a text is an action's name, or a pattern of such, instead of the name of a privilege. */
export function isAction(level: PrivilegeLevel, name: string): boolean {
  const actions = level === 'index' ? /^indices:/iu : /^(?:cluster:|indices:admin\/(?:index_)?template\/)/iu
  return actions.test(name)
}

function tableOf(level: PrivilegeLevel, name: string): PrivilegeActions | undefined {
  const table = privilegeTables[level]
  const lower = name.toLowerCase()
  return Object.hasOwn(table, lower) ? table[lower] : undefined
}

/** Compares a wanted pattern as a text: its `*` at the end is let through only by a `*` before or at that place. */
function lets({ actions, except = [] }: PrivilegeActions, wanted: string): boolean {
  if (!actions.some((action) => fitsStars(wanted, action))) return false
  return !except.some((action) => fitsStars(wanted, action) || fitsStars(action, wanted))
}

function includes(granted: PrivilegeActions, wanted: PrivilegeActions): boolean {
  if (wanted.except !== undefined && wanted !== granted && !granted.actions.includes('*')) return false
  return wanted.actions.every((action) => wanted === granted || lets(granted, action))
}

/** Reads a list of granted privileges; names of actions grant these, and all that begins so. */
export function grantedBy(level: PrivilegeLevel, privileges: readonly string[]): Granted {
  const held = privileges.map(
    (name) => tableOf(level, name) ?? { actions: isAction(level, name) ? [actionPattern(name.toLowerCase())] : [] },
  )
  const known = new Map<string, boolean>()
  const together: PrivilegeActions = { actions: held.filter(({ except }) => !except).flatMap(({ actions }) => actions) }
  const look = (wanted: string): boolean => {
    const named = tableOf(level, wanted)
    if (named) return [...held, together].some((each) => includes(each, named))
    return [...held, together].some((each) => lets(each, wanted))
  }
  return {
    has(wanted) {
      const found = known.get(wanted)
      if (found !== undefined) return found
      const answer = look(wanted)
      // What is asked is a few dozen names of ours, but also whatever a request asks about.
      if (known.size < knownMax) known.set(wanted, answer)
      return answer
    },
  }
}

const knownMax = 500

/** What the name of an action grants, or asks for in a question about privileges: all that begins so. */
export function actionPattern(name: string): string {
  return name.endsWith('*') ? name : `${name}*`
}

/** Whether a privilege of that name exists. */
export function isPrivilege(level: PrivilegeLevel, name: string): boolean {
  return tableOf(level, name) !== undefined
}

/** The names of all privileges of a level, in alphabetical order. */
export function privilegeNames(level: PrivilegeLevel): string[] {
  return Object.keys(privilegeTables[level]).sort()
}

/** The error for a privilege that there is not, with those there are, as Elasticsearch words it. */
export function unknownPrivilege(level: PrivilegeLevel, name: string): AppError {
  const kind = level === 'cluster' ? 'cluster privilege names' : 'fixed indices privileges'
  const named = rankedNames[level].map((each) => (level === 'cluster' ? each : `${each}=[${each}]`)).join(',')
  return new AppError(
    searchErrors.illegal_argument_exception,
    `unknown ${level} privilege [${name}]. a privilege must be either one of the predefined ${kind} [${named}] or a pattern over one of the available ${level} actions`,
  )
}

/** Privileges that name no others in refusals: they are about failure stores, which are none here. */
const unnamed = new Set(['manage_failure_store', 'read_failure_store', 'none'])

interface Rank {
  readonly name: string
  readonly granted: Granted
  readonly place: number
}

const ranks: Readonly<Record<PrivilegeLevel, readonly Rank[]>> = { cluster: ranked('cluster'), index: ranked('index') }

/** In the order in which Elasticsearch names them: those of the cluster by how many they include, those of indices by how many include them. */
function ranked(level: PrivilegeLevel): readonly Rank[] {
  const names = privilegeNames(level).filter((name) => !unnamed.has(name))
  const all = names.map((name) => ({ name, granted: grantedBy(level, [name]) }))
  const placeOf = ({ name, granted }: Omit<Rank, 'place'>): number =>
    level === 'cluster'
      ? // What it lets through depends on the request, so there it includes none.
        name === 'manage_own_api_key'
        ? -1
        : names.filter((other) => granted.has(other)).length
      : -all.filter((other) => other.granted.has(name)).length
  return all.map((each) => ({ ...each, place: placeOf(each) })).sort((a, b) => a.place - b.place)
}

/** The privileges that let `wanted` through, the least first: what an administrator may grant to let a refused request through. */
export function grantingPrivileges(level: PrivilegeLevel, wanted: string): string[] {
  return ranks[level].filter(({ granted }) => granted.has(wanted)).map(({ name }) => name)
}

/** All names of a level in that order, also of what is named in no refusal; for the error about a name that there is not. */
const rankedNames: Readonly<Record<PrivilegeLevel, readonly string[]>> = {
  cluster: namesWithUnnamed('cluster', 3),
  index: namesWithUnnamed('index', 0),
}

/** `at` is the place of those that refusals do not name. */
function namesWithUnnamed(level: PrivilegeLevel, at: number): readonly string[] {
  const named = ranks[level].map(({ name }) => name)
  const others = [...unnamed].filter((name) => isPrivilege(level, name))
  return [...named.slice(0, at), ...others, ...named.slice(at)]
}
