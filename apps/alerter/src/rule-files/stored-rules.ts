import { storedRuleSchema, storedRulesIndex } from '@logstack/contracts'
import type { SearchClient } from '@logstack/search-client'
import type { RuleFile } from './rules-folder.ts'

const storedMax = 10_000

/** The rule files that people wrote in the dashboard, by name. Rejects when search does not answer. */
export async function readStoredRules(client: SearchClient): Promise<RuleFile[]> {
  const { body } = await client.request<{ hits: { hits: { _id: string; _source: unknown }[] } }>({
    method: 'POST',
    path: `/${storedRulesIndex.name}/_search`,
    body: { size: storedMax, query: { match_all: {} } },
  })
  return body.hits.hits
    .flatMap(({ _id: name, _source: source }) => {
      const stored = storedRuleSchema.safeParse(source)
      return stored.success ? [{ name, text: stored.data.text }] : []
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}
