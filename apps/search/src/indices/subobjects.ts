import { AppError, searchErrors } from '@logstack/errors'
import { setOwn } from '../json/own-member.ts'
import type { FieldMapping } from '../model/mapping.ts'

type Properties = Readonly<Record<string, FieldMapping>>

/** Parameters that say whether an object holds others: Elasticsearch's, and OpenSearch's name for its opposite. */
export const subobjectParameters = ['subobjects', 'disable_objects'] as const

/** Whether the fields of an object (or of the root) are kept under dotted names, so that `time` and `time.max` may stand side by side. */
export function holdsNoObjects(definition: Readonly<Record<string, unknown>>): boolean {
  return String(definition['subobjects']) === 'false' || String(definition['disable_objects']) === 'true'
}

/**
 * The fields of an object that holds no objects: those of objects within it take their names before them. Throws `mapper_parsing_exception` for
 * objects that say more than what they hold, as that has no place then.
 */
export function dottedProperties(properties: Properties, parent: string): Properties {
  const dotted: Record<string, FieldMapping> = {}
  for (const [name, field] of Object.entries(properties)) {
    if (field.type !== undefined && field.type !== 'object' && field.type !== 'nested') setOwn(dotted, name, field)
    else
      for (const [inner, leaf] of Object.entries(dottedProperties(propertiesOf(name, field, parent), parent)))
        setOwn(dotted, `${name}.${inner}`, leaf)
  }
  return dotted
}

function propertiesOf(name: string, field: FieldMapping, parent: string): Properties {
  const kind = field.type === 'nested' ? 'nested object' : 'subobject'
  const says = Object.keys(field).some((key) => key !== 'type' && key !== 'properties')
  if (field.type !== 'nested' && !says) return field.properties ?? {}
  const place = parent === '' ? '_doc' : parent
  throw new AppError(
    searchErrors.mapper_parsing_exception,
    `Tried to add ${kind} [${name}] to object [${place}] which does not support subobjects`,
  )
}
