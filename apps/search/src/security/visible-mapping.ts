import { keptRuntimeField } from '../indices/runtime-fields.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { FieldMapping, Mapping } from '../model/mapping.ts'
import type { Scope } from '../model/scope.ts'

type Properties = Readonly<Record<string, FieldMapping>>

/** The mapping of an index as the caller may see it: without the names of fields that its roles hide. */
export function visibleMapping(scope: Scope, index: Pick<IndexMeta, 'name' | 'mapping'>): Mapping {
  if (!(scope.limitsFieldNames?.(index.name) ?? false)) return index.mapping
  const sees = (path: string): boolean => scope.canSeeFieldName?.(index.name, path) ?? true
  const { properties, runtime, derived, ...rest } = index.mapping
  const named = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(fields).filter(([path]) => sees(path)))
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: shownProperties(properties, '', sees) }),
    ...(runtime === undefined ? {} : { runtime: keptRuntimeFields(runtime, sees) }),
    ...(derived === undefined ? {} : { derived: named(derived) }),
  }
}

function keptRuntimeFields(runtime: Readonly<Record<string, unknown>>, sees: (path: string) => boolean) {
  const kept = Object.entries(runtime).map(([name, field]) => [name, keptRuntimeField(name, field, sees)] as const)
  return Object.fromEntries(kept.filter(([, field]) => field !== undefined))
}

function shownProperties(properties: Properties, prefix: string, sees: (path: string) => boolean): Properties {
  const shown: Record<string, FieldMapping> = {}
  for (const [name, field] of Object.entries(properties)) {
    const path = prefix + name
    const inner = field.properties && shownProperties(field.properties, `${path}.`, sees)
    // An object is shown for what is shown of it.
    if (inner ? Object.keys(inner).length === 0 && !sees(path) : !sees(path)) continue
    const fields = field.fields && shownProperties(field.fields, `${path}.`, sees)
    shown[name] = { ...field, ...(inner ? { properties: inner } : {}), ...(fields ? { fields } : {}) }
  }
  return shown
}
