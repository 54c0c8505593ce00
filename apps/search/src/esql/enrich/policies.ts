import type { CommandOf } from '@logstack/esql'
import { type EnrichReader, enrichReader } from '../../enrich/lookup.ts'
import { enrichPolicies, type StoredEnrichPolicy } from '../../enrich/policy.ts'
import { didYouMean } from '../../refusals/did-you-mean.ts'
import type { Store } from '../../store/store.ts'
import { noting, type QueryContext } from '../define-command.ts'
import { typeOfMapping } from '../source-fields.ts'
import { refuse } from '../value.ts'
import type { EnrichedColumn } from './enriched.ts'

/** The table that ENRICH names; undefined where there is none, which is noted. */
export function readerFor(
  { policy: name, place }: CommandOf<'enrich'>,
  store: Pick<Store, 'collection'>,
  context: QueryContext,
): EnrichReader | undefined {
  return noting(context, () => {
    const policies = enrichPolicies(store)
    const found: StoredEnrichPolicy | undefined = policies.get(name)
    if (!found) {
      const meant = didYouMean(
        name,
        [...policies.entries()].map(([each]) => each),
        { isJustEnough: true },
      )
      return refuse(place, `cannot find enrich policy [${name}]${meant === '' ? '' : `,${meant}`}`)
    }
    const reader = enrichReader(store, found)
    if (reader) return reader
    const reason = found.version ? 'it was executed before tables kept types' : `Unknown index [.enrich-${name}]`
    return refuse(place, `failed to resolve enrich policy [${name}]; reason [${reason}]`)
  })
}

/** The columns that ENRICH adds, in their order; what the policy does not have is noted. */
export function columnsFor(
  command: CommandOf<'enrich'>,
  { policy, version }: EnrichReader,
  context: QueryContext,
): readonly EnrichedColumn[] {
  const fields = new Map((version.shape.enriched ?? []).map((field) => [field.path, field]))
  const wanted = command.fields ?? policy.enrich_fields.map((name) => ({ name, of: name }))
  return wanted.flatMap(({ name, of }) => {
    const field = fields.get(of)
    if (field) return [{ name, type: typeOfMapping(field.wireType), field }]
    const meant = didYouMean(of, [...fields.keys()], { isJustEnough: true })
    const reason = `Enrich field [${of}] not found in enrich policy [${command.policy}]${meant === '' ? '' : `,${meant}`}`
    noting(context, () => refuse(command, reason))
    return []
  })
}
