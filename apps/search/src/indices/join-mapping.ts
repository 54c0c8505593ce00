import { AppError, searchErrors } from '@logstack/errors'
import type { FieldMapping, Mapping } from '../model/mapping.ts'
import { joinField, parentFields, type Relations, relationsOf } from './field-types/join.ts'

/** The join field of an index: its name and its relations. */
export interface JoinField {
  readonly path: string
  readonly relations: Relations
}

const joins = new WeakMap<Mapping, JoinField | 'none'>()

/** The join field of a mapping, which stands among the outermost fields. */
export function joinOf(mapping: Mapping): JoinField | undefined {
  const known = joins.get(mapping)
  if (known !== undefined) return known === 'none' ? undefined : known
  const [path] = joinNames(mapping)
  const definition = path === undefined ? undefined : mapping.properties?.[path]
  const found = path !== undefined && definition ? { path, relations: relationsOf(definition) } : undefined
  joins.set(mapping, found ?? 'none')
  return found
}

/** Throws `illegal_argument_exception` for a mapping with more than one join field, `mapper_parsing_exception` where it names a field that its join field brings. */
export function checkJoin(mapping: Mapping): void {
  const names = joinNames(mapping)
  if (names.length > 1)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `Only one [parent-join] field can be defined per index, got [${names.join(', ')}]`,
    )
  const { properties = {}, runtime = {} } = mapping
  for (const name of names)
    for (const [path] of parentFields(properties[name] ?? {}, name))
      if (properties[path] || runtime[path])
        throw new AppError(searchErrors.mapper_parsing_exception, `Field [${path}] is defined more than once`)
}

function joinNames({ properties = {} }: Mapping): string[] {
  return Object.keys(properties).filter((name) => properties[name]?.type === joinField.name)
}

/** Why a join field cannot have other relations, as lines of an error; none where what it had is still there. */
export function relationConflicts(existing: FieldMapping, incoming: FieldMapping): readonly string[] {
  if (existing.type !== joinField.name) return []
  const [from, to] = [relationsOf(existing), relationsOf(incoming)]
  const problems = [...removed(from, to), ...moved(from, to)]
  if (problems.length === 0) return []
  const lines = problems.map((problem) => `\n\tConflict in parameter [relations]: ${problem}`)
  return [...lines, `\n\tCannot update parameter [relations] from [${shown(from)}] to [${shown(to)}]`]
}

function removed(from: Relations, to: Relations): string[] {
  return [...from].flatMap(([parent, children]) => {
    const kept = to.get(parent)
    const lost = children.filter((child) => kept?.includes(child) !== true)
    return [
      ...(kept ? [] : [`Cannot remove parent [${parent}]`]),
      ...lost.map((child) => `Cannot remove child [${child}]`),
    ]
  })
}

/** What a document was without a parent or without children it stays: it lies where its routing says, and says no more than it did. */
function moved(from: Relations, to: Relations): string[] {
  const before = new Set([...from.values()].flat())
  const parents = [...to.keys()].filter((parent) => !from.has(parent) && before.has(parent))
  const children = [...to.values()].flat().filter((child) => from.has(child) && !before.has(child))
  return [
    ...parents.map((parent) => `Cannot create parent [${parent}] from an existing child`),
    ...children.map((child) => `Cannot create child [${child}] from an existing root`),
  ]
}

function shown(relations: Relations): string {
  return `[${[...relations].map(([parent, children]) => `${parent}->[${children.join(', ')}]`).join(', ')}]`
}
