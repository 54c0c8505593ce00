import { z } from 'zod'

const kibibyte = 1024
const noData = z.strictObject({})
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'an address, or a network as 10.1.0.0/16')

/** What an administrator can tell an agent to do: the type as it is on the wire, and the data that goes with it. */
export const orderedActions = {
  /** The agent begins anew, without losing an event. */
  RESTART: noData,
  /** The agent takes the program its agent-server hands out; agent-server adds `sha256`. Goes back to the one before when the new one does not check in. */
  UPGRADE: noData,
  /** How much the agent logs, until told otherwise. */
  SETTINGS: z.strictObject({ log_level: z.enum(['debug', 'info', 'warn', 'error']) }),
  /** The end of a file that the policy's `collect_paths` allow. */
  COLLECT_FILE: z.strictObject({
    path: z.string().min(2).max(4096).startsWith('/'),
    bytes_max: z
      .number()
      .int()
      .min(1)
      .max(512 * kibibyte)
      .default(256 * kibibyte),
  }),
  /** Looks at all configuration checks now. */
  RUN_CHECK: noData,
  /** Cuts the host off from everybody but the stack's servers and those of `allow`; with `isolated: false` joins it again. */
  ISOLATE: z.strictObject({ isolated: z.boolean().default(true), allow: z.array(network).max(64).default([]) }),
} as const

export type OrderedActionType = keyof typeof orderedActions

/** The types of actions in the order in which they are offered. */
export const orderedActionTypes = Object.keys(orderedActions) as readonly OrderedActionType[]

const hour = 3600

/** `POST /api/fleet/agents/{id}/actions`. An action that is not acknowledged in time is never done. */
export const orderActionSchema = z.strictObject({
  action: z.strictObject({
    type: z.enum(orderedActionTypes as readonly [OrderedActionType, ...OrderedActionType[]]),
    data: z.record(z.string(), z.unknown()).default({}),
  }),
  expires_in_seconds: z
    .number()
    .int()
    .min(10)
    .max(7 * 24 * hour)
    .default(24 * hour),
})

/** `POST /api/fleet/agents/bulk_upgrade`: upgrades agents one after the other, spread over a time; the first that fails stops the others. */
export const rolloutSchema = z.strictObject({
  /** These agents, or all of a policy. */
  agents: z.array(z.string().max(64)).min(1).max(10_000).optional(),
  policy_id: z.string().max(256).optional(),
  rollout_duration_seconds: z
    .number()
    .int()
    .min(0)
    .max(24 * hour)
    .default(hour),
})

/**
 * What `UPGRADE` carries to an agent: the SHA-256, in hexadecimal, of the program to run from then on; for an agent that is one executable also how
 * long that is.
 */
export const upgradeDataSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().min(1).optional(),
})

/** How far an action is: waiting for the agent, handed to it, and what became of it. */
export type OrderedActionStatus = 'pending' | 'delivered' | 'done' | 'failed' | 'expired'

/** An action as it is kept and shown. */
export interface OrderedAction {
  readonly agent_id: string
  readonly type: OrderedActionType
  readonly data: Readonly<Record<string, unknown>>
  readonly status: OrderedActionStatus
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string
  /** Not handed out before this time: actions of a rollout come one after the other. */
  readonly not_before?: string
  /** Which rollout it belongs to; one that fails ends those that have not begun. */
  readonly rollout_id?: string
  readonly delivered_at?: string
  readonly completed_at?: string
  /** What the agent says of it. */
  readonly message?: string
  /** What it found: of a file `path`, `bytes`, `size_bytes` and `content_base64`, of checks `passed` and `failed`. */
  readonly result?: Readonly<Record<string, unknown>>
}
