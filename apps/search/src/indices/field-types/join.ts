import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import type { FieldMapping } from '../../model/mapping.ts'
import { defineFieldType } from './define-field-type.ts'
import { absent, illegalValue, textOf } from './leaf.ts'
import { commonParameters, flag } from './parameters.ts'

/** The children of each parent of a join field, by names of relations, in the order of the mapping. */
export type Relations = ReadonlyMap<string, readonly string[]>

/** What the two types of a join have alike: both read the one value of the join field. */
const ofJoins = {
  valueType: 'string',
  aggregatable: true,
  objects: 'whole',
  members: singleValue,
  namelessFailures: true,
  ofDocument: true,
  queryValue: textOf,
  show: String,
} as const

/** `join`: which relation a document is of, and of a child whose it is. */
export const joinField = defineFieldType({
  name: 'join',
  family: 'join',
  ...ofJoins,
  parameters: z
    .strictObject({
      ...commonParameters,
      eager_global_ordinals: flag.optional(),
      relations: z.unknown().optional().transform(readRelations),
    })
    // Both are shown of a mapping that says neither.
    .transform(({ eager_global_ordinals: eager = true, relations, ...others }) => ({
      eager_global_ordinals: eager,
      relations,
      ...others,
    })),
  parse(value, field, document) {
    const { name, parent } = readValue(value, field.path)
    if (name === undefined) throw illegalValue(`null join name in field [${field.path}]`)
    const relations = relationsOf(field.parameters)
    if (parentOf(relations, name) === undefined) {
      if (!relations.has(name)) throw illegalValue(`unknown join name [${name}] for field [${field.path}]`)
      return { value: name }
    }
    if (parent === undefined) throw illegalValue(`[parent] is missing for join field [${field.path}]`)
    if (document?.routing === '') throw illegalValue(`[routing] is missing for join field [${field.path}]`)
    return { value: name }
  },
  showLeaf: (value) => value,
})

/** `parent`: below a join field, one for each parent of it: the parent that a document is, or whose child it is, by id. No mapping names it. */
export const parentField = defineFieldType({
  name: 'parent',
  family: 'parent',
  ...ofJoins,
  isInner: true,
  parameters: z.strictObject({}),
  parse(value, field, document) {
    const { name, parent } = readValue(value, field.sourcePath)
    if (name === undefined) return absent
    const { relation, children } = field.parameters
    if (Array.isArray(children) && children.includes(name)) return parent === undefined ? absent : { value: parent }
    return name === relation && document?.id !== undefined ? { value: document.id } : absent
  },
  // The join field itself says it all.
  isUnshown: true,
})

/** The fields that a join field has beside itself, by their path. */
export function parentFields(definition: FieldMapping, path: string): readonly (readonly [string, FieldMapping])[] {
  if (definition.type !== joinField.name) return []
  return [...relationsOf(definition)].map(([relation, children]) => [
    parentPath(path, relation),
    { type: parentField.name, relation, children },
  ])
}

/** Where a join field's documents of one parent say which it is. */
export function parentPath(path: string, relation: string): string {
  return `${path}#${relation}`
}

/** The relations of a join field's checked parameters. */
export function relationsOf({ relations }: Readonly<Record<string, unknown>>): Relations {
  return new Map(
    Object.entries(relations ?? {}).map(([parent, children]) => [
      parent,
      [children].flat().map((name) => String(name)),
    ]),
  )
}

/** The parent of a child; undefined of what is no child. */
export function parentOf(relations: Relations, child: string): string | undefined {
  for (const [parent, children] of relations) if (children.includes(child)) return parent
  return undefined
}

/** Relations as a mapping shows them: one child by itself. */
function readRelations(given: unknown): Readonly<Record<string, string | readonly string[]>> {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    const kind = Array.isArray(given) ? 'java.util.ArrayList' : 'java.lang.String'
    throw new AppError(
      searchErrors.parse_exception,
      `relations should be a hash but was of type: class ${typeof given === 'number' ? 'java.lang.Integer' : kind}`,
    )
  }
  const all = new Set<string>()
  const shown = Object.entries(given).map(([parent, value]): readonly [string, string | readonly string[]] => {
    const children = [...new Set([value].flat().map(String))]
    for (const child of children) {
      if (all.has(child)) throw illegalValue(`[${child}] cannot have multiple parents`)
      all.add(child)
    }
    const [only] = children
    return [parent, children.length === 1 && only !== undefined ? only : children]
  })
  return Object.fromEntries(shown)
}

/** What stands at a join field, which is one value at most: lists are looked through. */
function singleValue(whole: unknown): readonly unknown[] {
  if (!Array.isArray(whole)) return [whole]
  const values = whole.flatMap(singleValue)
  if (values.length > 1)
    throw illegalValue('a join field appears more than once in this document (only one value is allowed per field)')
  return values
}

interface JoinValue {
  readonly name: string | undefined
  readonly parent: string | undefined
}

function readValue(value: unknown, path: string): JoinValue {
  if (typeof value === 'string') return { name: value, parent: undefined }
  if (typeof value === 'object' && value !== null) return readMembers(value, path)
  const token = value === null ? 'NULL' : typeof value === 'boolean' ? 'BOOLEAN' : 'NUMBER'
  throw new AppError(
    searchErrors.illegal_state_exception,
    `[${path}] expected START_OBJECT or VALUE_STRING but was: VALUE_${token}`,
  )
}

/** The members of a value by the last text of each; what is neither text nor number is passed over. */
function readMembers(value: object, path: string): JoinValue {
  const found = new Map<string, string>()
  const read = (name: string, member: unknown): void => {
    if (Array.isArray(member)) for (const each of member) read(name, each)
    else if (typeof member === 'object' && member !== null)
      for (const [inner, each] of Object.entries(member)) read(inner, each)
    else if (typeof member === 'string' || typeof member === 'number' || typeof member === 'bigint') {
      const isKnown = name === 'parent' || (name === 'name' && typeof member === 'string')
      if (!isKnown) throw illegalValue(`unknown field name [${name}] in join field [${path}]`)
      found.set(name, String(member))
    }
  }
  read('', value)
  return { name: found.get('name'), parent: found.get('parent') }
}
