import { z } from 'zod'

/** Ids of Wazuh agents: three digits or more. `000` is their server itself. */
export const wazuhAgentIdSchema = z.string().regex(/^(?!0+$)\d{3,8}$/, 'expected three to eight digits, not 000')

/** Names of Wazuh agents, which hosts give themselves when they enrol. */
export const wazuhAgentNameSchema = z
  .string()
  .regex(/^[\w-][\w.-]{1,127}$/, 'expected 2 to 128 letters, digits, ., _ or -, and no . first')

/** Where an agent may come from: `any`, an address, or a network such as `10.0.0.0/8`. */
const sourceSchema = z.union([z.literal('any'), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/**
 * A Wazuh agent that may send events, in `.logstack-wazuh-agents` under its id. Keys come from a `client.keys` that the operator imports, or from
 * enrolments; endpoint-manager, which decrypts with them, adds what it hears of the agent.
 */
export const wazuhAgentSchema = z.object({
  name: wazuhAgentNameSchema,
  ip: sourceSchema,
  /** What both sides make their cipher's key of. Wazuh's own are 64 hexadecimal digits. */
  key: z.string().regex(/^[!-~]{8,256}$/, 'expected 8 to 256 printable characters without spaces'),
  /** ISO 8601. */
  added: z.string(),
  added_by: z.enum(['import', 'enrolment']),
  /** The agent's own version, `4.14.7`. */
  version: z.string().optional(),
  /** Its host's system in a line: `Microsoft Windows 11 Pro 10.0.22631`. */
  os: z.string().optional(),
  /** Where it was connected from last. */
  address: z.string().optional(),
  /** ISO 8601; kept up to a minute exact while it is connected. Absent before it came first. */
  last_seen: z.string().optional(),
  /** Whether it has not taken its leave. */
  connected: z.boolean().optional(),
  /** endpoint-manager's: how far it knows what the agent has told of its host, by table. */
  sync: z
    .record(z.string(), z.object({ checksum: z.string(), asked: z.number(), failures: z.number().optional() }))
    .optional(),
})

export type WazuhAgent = z.infer<typeof wazuhAgentSchema>

export type WazuhAgentStatus = 'never_connected' | 'active' | 'disconnected'

/** An agent that is silent for so long is disconnected: agents say every ten seconds that they are there. */
export const wazuhSilentMs = 3 * 60_000

/** How an agent is at `now`, milliseconds since 1970. */
export function wazuhAgentStatus(
  { connected, last_seen }: Pick<WazuhAgent, 'connected' | 'last_seen'>,
  now: number,
): WazuhAgentStatus {
  if (last_seen === undefined) return 'never_connected'
  return connected && now - Date.parse(last_seen) < wazuhSilentMs ? 'active' : 'disconnected'
}

const keyword = { type: 'keyword' } as const
const date = { type: 'date' } as const

export const wazuhAgentsIndex = {
  name: '.logstack-wazuh-agents',
  version: 1,
  properties: {
    name: keyword,
    ip: keyword,
    key: { type: 'keyword', index: false, doc_values: false },
    added: date,
    added_by: keyword,
    version: keyword,
    os: keyword,
    address: keyword,
    last_seen: date,
    connected: { type: 'boolean' },
    sync: { type: 'object', enabled: false },
  },
} as const
