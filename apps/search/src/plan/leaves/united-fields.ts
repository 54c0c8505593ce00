import { nestedPaths, signature } from '../../dsl/lower-context.ts'
import type { Catalogue } from '../../indices/catalogue.ts'
import { hasKeys } from '../../indices/keyed-fields.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { ResolvedField } from '../../model/mapping.ts'

type Fields = ReadonlyMap<string, ResolvedField>

/** Indices whose fields do not contradict each other, and all of these: a row has no value of a field that its index does not have. */
export interface UnitedFields {
  readonly indices: readonly IndexMeta[]
  readonly fields: Fields
}

/** Lists of indices whose fields are kept together: what dashboards ask again and again. */
const keptMax = 16

interface Kept {
  readonly asked: readonly Fields[]
  /** Which of those asked for are alike, by their places. */
  readonly groups: readonly { readonly places: readonly number[]; readonly fields: Fields }[]
}

const keptOf = new WeakMap<Catalogue, Kept[]>()

/**
 * Indices of one table in as few groups as their fields allow: documents bring new fields from day to day, and a search for a word in all fields should not be one of
 * its own for each day therefore.
 */
export function unitedFields(catalogue: Catalogue, indices: readonly IndexMeta[]): UnitedFields[] {
  const asked = indices.map((index) => catalogue.fields(index))
  const kept = keptOf.get(catalogue) ?? []
  keptOf.set(catalogue, kept)
  const at = kept.findIndex((each) => isSame(each.asked, asked))
  const [known = { asked, groups: grouped(indices, asked) }] = at < 0 ? [] : kept.splice(at, 1)
  // What was asked for longest ago goes.
  kept.unshift(known)
  kept.length = Math.min(kept.length, keptMax)
  return known.groups.map(({ places, fields }) => ({
    indices: places.map((place) => indices[place] as IndexMeta),
    fields,
  }))
}

function isSame(known: readonly Fields[], asked: readonly Fields[]): boolean {
  return known.length === asked.length && known.every((fields, at) => fields === asked[at])
}

/** Fields that grow while indices are found that may have them in common. */
interface Group {
  readonly places: number[]
  readonly nested: string
  readonly members: Set<Fields>
  fields: Map<string, ResolvedField>
}

function grouped(indices: readonly IndexMeta[], asked: readonly Fields[]): Kept['groups'] {
  const groups: Group[] = []
  for (const [place, fields] of asked.entries()) {
    const nested = nestedKey(indices[place])
    const group = groups.find(
      (each) => each.nested === nested && (each.members.has(fields) || join(each.fields, fields)),
    )
    if (group) {
      group.places.push(place)
      group.members.add(fields)
    } else groups.push({ places: [place], nested, members: new Set([fields]), fields: new Map(fields) })
  }
  return groups
}

/** The nested objects of a mapping: within them fields have another home. */
function nestedKey(index: IndexMeta | undefined): string {
  return index ? [...nestedPaths(index.mapping)].sort().join(' ') : ''
}

/** Adds fields where none of them means something else than those that are there. */
function join(known: Map<string, ResolvedField>, more: Fields): boolean {
  const added: [string, ResolvedField][] = []
  for (const [name, field] of more) {
    const same = known.get(name)
    if (same === field) continue
    if (same === undefined) added.push([name, field])
    else if (signature(same) !== signature(field)) return false
  }
  if (hasAlias(added)) return false
  const keyed = [...known.values(), ...more.values()].filter(hasKeys)
  const isBelow = (name: string) => keyed.some(({ path }) => name.startsWith(`${path}.`))
  if (keyed.length > 0 && [...known.keys(), ...more.keys()].some(isBelow)) return false
  if (hasAlias([...known].filter(([name]) => !more.has(name)))) return false
  for (const [name, field] of added) known.set(name, field)
  return true
}

/** Whether a name stands for a field of another: the index without it may have that field, which it does not find by this name. */
function hasAlias(fields: readonly (readonly [string, ResolvedField])[]): boolean {
  return fields.some(([name, { path, wireType }]) => path !== name || wireType === 'alias')
}
