import { and, type Predicate } from '@logstack/rules'
import { type ContextSource, createLowerContext, type TracedContext } from '../../dsl/lower-context.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { hiddenFields } from '../../security/denied.ts'
import type { LeafRequest, PlanServices } from './leaf-request.ts'

/** The filters of aliases and roles over one index. */
export interface LoweredFilters {
  /** All of them. */
  readonly predicate: Predicate
  /** Those of the caller's roles alone. */
  readonly ofRoles: Predicate
  readonly trace: TracedContext['trace']
  agrees: TracedContext['agrees']
}

/**
 * Lowers what an index's documents must meet whatever the request says. A filter is written by an administrator: it looks at fields that are
 * hidden from the caller, too, and at the mapping's fields, never at those that a request makes up under the same names.
 */
export function lowerFilters(
  services: Pick<PlanServices, 'catalogue'>,
  index: IndexMeta,
  request: LeafRequest,
  context: TracedContext,
  [ofAliases, ofRoles]: readonly [readonly unknown[], readonly unknown[]],
): LoweredFilters {
  const own = createLowerContext(filterSourceOf(services, index, request))
  const roles = and(ofRoles.map((filter) => own.lower(filter)))
  const predicate = and([...ofAliases.map((filter) => own.lower(filter)), roles])
  for (const { path } of fieldsIn(predicate))
    if (request.runtime?.has(path))
      throw illegalArgument(
        `[runtime_mappings] cannot define [${path}]: documents of [${index.name}] are filtered by the mapped field`,
      )
  for (const rows of own.computed.joins) {
    // The others would be looked for without what is hidden from the caller.
    if (request.scope.limitsFields?.(index.name)) throw hiddenFields(request.scope, index.name)
    context.computed.joined(rows)
  }
  for (const field of own.computed.fields.values()) {
    // Its script would read what the request makes up, or lack what is hidden from the caller.
    if (request.runtime !== undefined)
      throw illegalArgument(
        `[runtime_mappings] cannot be used over [${index.name}], whose documents are filtered by a computed field`,
      )
    if (request.scope.limitsFields?.(index.name)) throw hiddenFields(request.scope, index.name)
    context.computed.noted(field)
  }
  return { predicate, ofRoles: roles, trace: own.trace, agrees: (trace) => own.agrees(trace) }
}

/** Every field a predicate looks at. */
function* fieldsIn(predicate: Predicate): Iterable<{ readonly path: string }> {
  if ('field' in predicate) yield predicate.field
  if (predicate.op === 'not' || predicate.op === 'nested') yield* fieldsIn(predicate.of)
  else if ('of' in predicate) for (const each of predicate.of) yield* fieldsIn(each)
}

/** What filters are lowered for: an index of which they see all fields. */
export function filterSourceOf(
  { catalogue }: Pick<PlanServices, 'catalogue'>,
  index: IndexMeta,
  { nowMs }: Pick<LeafRequest, 'nowMs'>,
): ContextSource {
  return { index, fields: catalogue.fields(index), scope: { canSeeField: () => true }, nowMs }
}
