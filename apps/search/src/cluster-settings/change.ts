import { fitsStars } from '@logstack/rules'
import { isObject } from '../json/json-object.ts'
import { illegalArgument } from '../refusals/refuse.ts'
import { scalarText } from '../values/scalar-text.ts'
import { listMembers } from './read.ts'
import { changeableKind, isFixed } from './registry.ts'

/** Settings of the cluster as they are kept: by flat names, lists as JSON. */
export type KeptSettings = Readonly<Record<string, string>>

/** What a request asks of one setting; null takes it back. */
export type SettingChange = readonly [name: string, value: string | null]

/** The changes of a body, nested or flat. Lists are kept as JSON. */
export function readChanges(given: Readonly<Record<string, unknown>>, prefix = ''): SettingChange[] {
  return Object.entries(given).flatMap(([key, value]): SettingChange[] => {
    const name = prefix + key
    if (isObject(value)) return readChanges(value, `${name}.`)
    if (Array.isArray(value)) return [[name, JSON.stringify(value.map(scalarText))]]
    return [[name, value === null ? null : String(value)]]
  })
}

/**
 * Settings of one kind (`persistent`, `transient`) after changes. Throws `illegal_argument_exception`, in Elasticsearch's words, for names that are
 * not known or not changeable and for values that are not of their kind.
 */
export function changed(kind: string, before: KeptSettings, changes: readonly SettingChange[]): KeptSettings {
  const after = new Map(Object.entries(before))
  for (const [name, value] of changes) {
    if (value !== null) {
      checkValue(kind, name, value)
      after.set(name, value)
    } else {
      if (!name.includes('*')) checkReset(kind, name, before)
      for (const key of [...after.keys()].filter((key) => fitsStars(key, name))) after.delete(key)
    }
  }
  return Object.fromEntries(after)
}

function checkName(kind: string, name: string): NonNullable<ReturnType<typeof changeableKind>> {
  const found = changeableKind(name)
  if (found !== undefined) return found
  if (isFixed(name)) throw illegalArgument(`${kind} setting [${name}], not dynamically updateable`)
  throw illegalArgument(`${kind} setting [${name}], not recognized`)
}

function checkValue(kind: string, name: string, value: string): void {
  const expected = checkName(kind, name)
  const isList = value.startsWith('[') && value.endsWith(']')
  if (isList && !expected.isList)
    throw illegalArgument(`Found list type value for setting [${name}] but but did not expect a list for this setting.`)
  expected.check(name, isList ? listMembers(value).join(',') : value)
}

/** What an older version took and this one does not know can be taken back. */
function checkReset(kind: string, name: string, before: KeptSettings): void {
  if (!Object.hasOwn(before, name)) checkName(kind, name)
}
