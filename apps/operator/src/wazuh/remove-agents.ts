import { wazuhAgentsIndex } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { type SearchClient, sendBulk } from '@logstack/search-client'
import { meantHint } from '@logstack/spelling'
import type { StoredWazuhAgent } from './stored-agents.ts'

/** The Wazuh agents that go by these ids or names, each once; `option_invalid` where one of them is no agent's. */
export function wazuhAgentsNamed(agents: readonly StoredWazuhAgent[], names: readonly string[]): StoredWazuhAgent[] {
  const found = names.map((name) => {
    // An id first: a host may be called 001, too.
    const agent = agents.find(({ id }) => id === name) ?? agents.find((one) => one.name === name)
    if (agent) return agent
    const hint = meantHint(
      name,
      agents.map((one) => one.name),
    )
    throw new AppError(operatorErrors.option_invalid, `no Wazuh agent is called [${name}]${hint}`, {
      fix: 'ids and names are listed by: ./logstack agent list',
    })
  })
  return [...new Set(found)]
}

/** Forgets agents: what they send is refused from then on. One that is gone already is no failure. */
export async function removeWazuhAgents(search: SearchClient, ids: readonly string[]): Promise<void> {
  const results = await sendBulk(
    search,
    ids.map((id) => ({ action: 'delete', index: wazuhAgentsIndex.name, id })),
    { refresh: 'true' },
  )
  const kept = results.find(({ status }) => status >= 300 && status !== 404)
  if (kept)
    throw new AppError(operatorErrors.part_refused, `search did not remove agent ${kept.id}: ${kept.error?.reason}`, {
      fix: './logstack status',
    })
}
