import { z } from 'zod'
import { type RuleProblem, readYamlMaps } from '../read-yaml.ts'
import type { LogSource } from './sigma-rule.ts'

const scalar = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)])
const oneOrMore = <T extends z.ZodType>(schema: T) =>
  z.union([schema.transform((one) => [one]), z.array(schema).min(1)])
const fieldsSchema = z.record(z.string(), oneOrMore(z.string().min(1)))
/** Any of the maps holds: each field has one of its values (in any case, `*` at the end is a prefix). */
const conditionsSchema = oneOrMore(z.record(z.string(), oneOrMore(scalar)))
const placeSchema = z.strictObject({ when: conditionsSchema, fields: fieldsSchema.optional() })
const placesSchema = z.record(
  z.string(),
  z.union([placeSchema, conditionsSchema.transform((when) => ({ when, fields: undefined }))]),
)

const mappingSchema = z.strictObject({
  title: z.string(),
  product: z.string().optional(),
  index: oneOrMore(z.string().min(1)),
  /** What holds for every event of the product. */
  when: conditionsSchema.optional(),
  categories: placesSchema.default({}),
  services: placesSchema.default({}),
  fields: fieldsSchema.default({}),
  /** Where fields without a line are, `{field}` standing for the name. */
  otherwise: z.array(z.string()).default(['{field}']),
})

/** How the log sources of a product are kept: in which indices, which events they are, and where their fields are. */
export interface SigmaMapping extends z.output<typeof mappingSchema> {
  readonly file: string
}

export type MappingConditions = z.output<typeof conditionsSchema>

/** Reads a mapping file. Never throws for what the text holds. */
export function readMapping(
  file: string,
  text: string,
): { readonly mapping: SigmaMapping } | { readonly problem: RuleProblem } {
  const maps = readYamlMaps(text)
  if ('problem' in maps) return maps
  const [map] = maps
  if (!map || maps.length > 1) return { problem: { line: 1, column: 1, message: 'a mapping file holds one document' } }
  const parsed = mappingSchema.safeParse(map.value)
  if (parsed.success) return { mapping: { file, ...parsed.data } }
  const issue = parsed.error.issues[0]
  return { problem: map.problemAt(issue?.path ?? [], `[${issue?.path.join('.')}]: ${issue?.message}`) }
}

/** A log source as its mapping keeps it. */
export interface MappedSource {
  /** Rules with the same key are looked at together. */
  readonly key: string
  readonly mapping: SigmaMapping
  /** All of these hold for its events. */
  readonly when: readonly MappingConditions[]
  /** The paths at which a rule's field may be. */
  pathsOf(field: string): readonly string[]
}

/** Why a log source has no mapping. */
interface NoMapping {
  readonly reason: string
  /** The log source, in words, where it is one that no mapping knows; absent where it is none at all. */
  readonly unknownSource?: string
}

/** The mapping of a log source, or why there is none. The first mapping that knows it is taken. */
export function mapSource(source: LogSource, mappings: readonly SigmaMapping[]): MappedSource | NoMapping {
  const { product, category, service } = source
  const name = Object.entries(source)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ')
  if (name === '') return { reason: 'the log source names neither product, category nor service' }
  for (const mapping of mappings) {
    if (product !== undefined && mapping.product !== product) continue
    const ofCategory = category === undefined ? undefined : mapping.categories[category]
    const ofService = service === undefined ? undefined : mapping.services[service]
    if ((category !== undefined && !ofCategory) || (service !== undefined && !ofService)) continue
    const when = [mapping.when, ofCategory?.when, ofService?.when].filter((conditions) => conditions !== undefined)
    const own = { ...mapping.fields, ...ofService?.fields, ...ofCategory?.fields }
    const pathsOf = (field: string): readonly string[] =>
      Object.hasOwn(own, field)
        ? (own[field] ?? [])
        : mapping.otherwise.map((path) => path.replace('{field}', () => field))
    return { key: JSON.stringify([mapping.file, category, service]), mapping, when, pathsOf }
  }
  return { reason: `no mapping knows the log source ${name}`, unknownSource: name }
}
