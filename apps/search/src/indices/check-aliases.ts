import { AppError, searchErrors } from '@logstack/errors'
import type { Mapping } from '../model/mapping.ts'

/** Throws `mapper_parsing_exception` when an alias among the fields of a whole mapping leads to no field. */
export function checkAliases({ properties, runtime = {} }: Mapping): void {
  const aliases = new Map<string, string>()
  const fields = new Set(Object.keys(runtime))
  const visit = (given: Mapping['properties'], prefix: string): void => {
    for (const [name, field] of Object.entries(given ?? {})) {
      const path = prefix + name
      if (field.type === 'alias') aliases.set(path, String(field['path']))
      else if (field.properties === undefined && field.type !== 'object' && field.type !== 'nested') fields.add(path)
      visit(field.properties, `${path}.`)
      visit(field.fields, `${path}.`)
    }
  }
  visit(properties, '')
  for (const [path, target] of aliases) {
    const why = problemOf(target, path, aliases, fields)
    if (why === undefined) continue
    const reason = `Invalid [path] value [${target}] for field alias [${path}]: an alias ${why}.`
    throw new AppError(searchErrors.mapper_parsing_exception, reason)
  }
}

function problemOf(
  target: string,
  path: string,
  aliases: ReadonlyMap<string, string>,
  fields: ReadonlySet<string>,
): string | undefined {
  if (target === path) return 'cannot refer to itself'
  if (aliases.has(target)) return 'cannot refer to another alias'
  return fields.has(target) ? undefined : 'must refer to an existing field in the mappings'
}
