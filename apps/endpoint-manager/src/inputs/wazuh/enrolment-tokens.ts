import { agentIndices } from '@logstack/contracts'
import { keyMatches, readApiKey } from '@logstack/passwords/api-key'
import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'

const tokenSchema = z.object({ active: z.boolean(), expires_at: z.string(), key_sha256: z.string() })

/** Whether a secret is an enrolment token of agent-server that counts at `now`, milliseconds since 1970: they serve Wazuh agents as their password. */
export async function isEnrolmentToken(search: SearchClient, secret: string, now: number): Promise<boolean> {
  const given = readApiKey(`ApiKey ${secret}`)
  if (!given) return false
  const { status, body } = await search.request<{ _source?: unknown }>({
    method: 'GET',
    path: `/${encodeURIComponent(agentIndices.tokens.name)}/_doc/${encodeURIComponent(given.id)}`,
    accept: [404],
  })
  if (status === 404) return false
  const token = tokenSchema.parse(body._source)
  return token.active && Date.parse(token.expires_at) > now && keyMatches(given.key, token.key_sha256)
}
