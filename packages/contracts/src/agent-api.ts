import { z } from 'zod'

/**
 * The agent API: how agents, agent-server and endpoint-manager talk. Enrol, check-in and acks keep the shape of Fleet Server's API
 * (`/api/fleet/agents/…`), so that deployed Elastic Agents can be served by the same routes later; the events route is our own.
 */

/** Paths of the agent API; `:id` is the agent's id. */
export const agentApiPaths = {
  status: '/api/status',
  enrol: '/api/fleet/agents/enroll',
  checkin: '/api/fleet/agents/:id/checkin',
  acks: '/api/fleet/agents/:id/acks',
  /** The program that a host's own Node.js runs, for installation and upgrade. */
  program: '/api/agent/agent.mjs',
  /** An executable packed by gzip; `:name` is one of `agentExecutables`. */
  executable: '/api/agent/:name.gz',
  /** A new client certificate for an agent whose own ends soon; authorized by its access key. */
  certificate: '/api/fleet/agents/:id/certificate',
  /** An agent takes its leave: nothing is kept of it, its events are refused from then on. */
  leave: '/api/fleet/agents/:id/leave',
  /** On endpoint-manager, over mutual TLS; the client certificate's common name is the agent's id. */
  events: '/api/agents/:id/events',
} as const

/** An agent's id: it is a certificate's common name and part of document ids, so nothing but a UUID will do. */
export const agentIdSchema = z.uuid()

const localMetadataSchema = z.looseObject({
  elastic: z
    .looseObject({
      agent: z
        .looseObject({ version: z.string().max(64).optional(), program: z.string().max(64).optional() })
        .optional(),
    })
    .optional(),
  host: z.looseObject({ hostname: z.string().max(255).optional(), name: z.string().max(255).optional() }).optional(),
  os: z.looseObject({}).optional(),
})

/** What an agent says of its host at enrolment and when it changes. */
export type LocalMetadata = z.infer<typeof localMetadataSchema>

/** `POST /api/fleet/agents/enroll`, authorized by `ApiKey <enrolment token>`. */
export const enrolRequestSchema = z.looseObject({
  type: z.literal('PERMANENT'),
  id: agentIdSchema.optional(),
  metadata: z
    .looseObject({
      local: localMetadataSchema.optional(),
      user_provided: z.record(z.string(), z.unknown()).optional(),
      tags: z.array(z.string().max(256)).max(64).optional(),
    })
    .optional(),
  /** A PEM certificate request (EC P-256); with it the answer holds a client certificate for endpoint-manager. */
  certificate_request: z.string().max(8192).optional(),
})

export type EnrolRequest = z.infer<typeof enrolRequestSchema>

/** The answer to an enrolment. The access key is shown here once and stored hashed. */
export const enrolResponseSchema = z.looseObject({
  action: z.literal('created'),
  item: z.looseObject({
    id: agentIdSchema,
    active: z.boolean(),
    policy_id: z.string(),
    type: z.literal('PERMANENT'),
    enrolled_at: z.string(),
    access_api_key_id: z.string(),
    /** base64 of `id:key`, sent as `Authorization: ApiKey …` from then on. */
    access_api_key: z.string(),
    /** PEM client certificate for the request's key; absent without a request. */
    certificate: z.string().optional(),
  }),
})

export type EnrolResponse = z.infer<typeof enrolResponseSchema>

const unitStatusSchema = z.enum(['STARTING', 'CONFIGURING', 'HEALTHY', 'DEGRADED', 'FAILED', 'STOPPING', 'STOPPED'])

/** How one input or output of an agent is doing. */
export type UnitStatus = z.infer<typeof unitStatusSchema>

/** Why a unit is not well, where what is to be done about it depends on that; its message is for people. */
export const unitReasonSchema = z.enum(['disk_full', 'data_unwritable', 'spool_full'])

export type UnitReason = z.infer<typeof unitReasonSchema>

const unitSchema = z.looseObject({
  id: z.string().max(512),
  type: z.enum(['input', 'output']),
  status: unitStatusSchema,
  message: z.string().max(4096),
  /** `reason` is one of `unitReasonSchema`, or another one of a newer agent. */
  payload: z.record(z.string(), z.unknown()).optional(),
})

/** One input or output of an agent, as a check-in reports it. */
export type AgentUnit = z.infer<typeof unitSchema>

/** Agents of before tell of every file that they follow; a check-in that is refused for it would cut them off. */
const unitsMax = 10_000

const componentSchema = z.looseObject({
  id: z.string().max(512),
  type: z.string().max(512),
  status: unitStatusSchema,
  message: z.string().max(4096),
  units: z.array(unitSchema).max(unitsMax).optional(),
  /** How many units there are where not all of them are told. */
  units_total: z.number().int().min(0).optional(),
})

export type AgentComponent = z.infer<typeof componentSchema>

/** `POST /api/fleet/agents/{id}/checkin`: held until there is an action, or until the server's limit. */
export const checkinRequestSchema = z.looseObject({
  status: z.enum(['online', 'error', 'degraded', 'starting']),
  message: z.string().max(4096),
  ack_token: z.string().max(512).optional(),
  local_metadata: localMetadataSchema.optional(),
  components: z.array(componentSchema).max(unitsMax).optional(),
  agent_policy_id: z.string().max(256).optional(),
  policy_revision_idx: z.number().int().min(0).optional(),
  /** How long the agent is ready to wait, as a Go duration (`4m30s`) or milliseconds. */
  poll_timeout: z.union([z.string().max(32), z.number()]).optional(),
})

export type CheckinRequest = z.infer<typeof checkinRequestSchema>

const dataStreamSchema = z.object({
  type: z.enum(['logs', 'metrics']),
  dataset: z.string().regex(/^[a-z0-9_.]{1,100}$/, 'a dataset is lower-case letters, digits, dots and underscores'),
})

const streamSchema = z.looseObject({ id: z.string(), data_stream: dataStreamSchema, enabled: z.boolean().optional() })

const inputSchema = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  /** The keyword of the agent's input registry: `file`, `journald`, `metrics`. */
  type: z.string(),
  use_output: z.string().optional(),
  data_stream: z.object({ namespace: z.string() }).optional(),
  /** `false`: kept in the policy, and not handed out to agents; the same for a stream. */
  enabled: z.boolean().optional(),
  streams: z.array(streamSchema),
})

/** One input of a policy. A stream's further keys belong to the input's type. */
export type PolicyInput = z.infer<typeof inputSchema>
export type PolicyStream = z.infer<typeof streamSchema>

/** What an agent shall do: its inputs, where their events go, and where it checks in. */
export const agentPolicySchema = z.looseObject({
  id: z.string(),
  revision: z.number().int().min(1),
  outputs: z.record(z.string(), z.looseObject({ type: z.string(), hosts: z.array(z.string()) })),
  inputs: z.array(inputSchema),
  fleet: z.object({ hosts: z.array(z.string()) }),
  /** Files that may be collected: `*` stands for any characters of a name, `**` for any folders too. */
  collect_paths: z.array(z.string().startsWith('/').max(4096)).max(256).optional(),
})

export type AgentPolicy = z.infer<typeof agentPolicySchema>

/** Ids that come twice: an agent keeps what it has read by them. */
function repeatedIds(inputs: readonly PolicyInput[]): string[] {
  const ids = inputs.flatMap(({ id, streams }) => [`input ${id}`, ...streams.map((stream) => `stream ${stream.id}`)])
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]
}

/** The inputs of a policy that is stored: no two of them, and no two streams, have one id. */
export const policyInputsSchema = agentPolicySchema.shape.inputs.superRefine((inputs, context) => {
  for (const id of repeatedIds(inputs))
    context.addIssue({ code: 'custom', message: `there are two with the id [${id}]` })
})

/** What an administrator changes of a policy. With `revision` it is refused where the policy has another by now. */
export const policyEditSchema = z.object({
  name: z.string().min(1).max(256),
  inputs: policyInputsSchema,
  collect_paths: agentPolicySchema.shape.collect_paths,
  revision: z.number().int().min(1).optional(),
})

const actionBase = { id: z.string(), agent_id: z.string(), created_at: z.string() }

const policyChangeSchema = z.looseObject({
  ...actionBase,
  type: z.literal('POLICY_CHANGE'),
  data: z.object({ policy: agentPolicySchema }),
})
const unenrolSchema = z.looseObject({ ...actionBase, type: z.literal('UNENROLL'), data: z.looseObject({}).optional() })

/** An action handed out by a check-in; an agent skips and acknowledges with an error the types it does not know. */
export const agentActionSchema = z.union([
  policyChangeSchema,
  unenrolSchema,
  z.looseObject({ ...actionBase, type: z.string() }),
])

export type PolicyChangeAction = z.infer<typeof policyChangeSchema>
export type AgentAction = z.infer<typeof agentActionSchema>

/** Narrows an action to a change of policy. */
export function isPolicyChange(action: AgentAction): action is PolicyChangeAction {
  return policyChangeSchema.safeParse(action).success
}

export const checkinResponseSchema = z.looseObject({
  action: z.literal('checkin'),
  ack_token: z.string(),
  actions: z.array(agentActionSchema),
})

export type CheckinResponse = z.infer<typeof checkinResponseSchema>

/** `POST /api/fleet/agents/{id}/acks`: what became of actions. */
export const acksRequestSchema = z.looseObject({
  events: z
    .array(
      z.looseObject({
        type: z.literal('ACTION_RESULT'),
        subtype: z.literal('ACKNOWLEDGED'),
        agent_id: z.string(),
        action_id: z.string().max(512),
        message: z.string().max(4096),
        timestamp: z.string().optional(),
        error: z.string().max(4096).optional(),
        data: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .max(1000),
})

export type AcksRequest = z.infer<typeof acksRequestSchema>

export const acksResponseSchema = z.looseObject({
  action: z.literal('acks'),
  errors: z.boolean(),
  items: z.array(z.looseObject({ status: z.number(), message: z.string() })),
})

export type AcksResponse = z.infer<typeof acksResponseSchema>

/** `POST /api/fleet/agents/{id}/certificate`: a PEM certificate request for a new key. */
export const certificateRequestSchema = z.strictObject({ certificate_request: z.string().max(8192) })

export const certificateResponseSchema = z.looseObject({
  action: z.literal('renewed'),
  item: z.looseObject({ certificate: z.string(), certificate_not_after: z.string() }),
})

export type CertificateResponse = z.infer<typeof certificateResponseSchema>

export const leaveResponseSchema = z.looseObject({ action: z.literal('left') })

/**
 * The first line of an events body (`application/x-ndjson`, may be gzipped). `spool` names one life of the agent's spool: offsets count
 * records in it from 0 and are never used twice.
 */
export const eventsHeaderSchema = z.object({
  agent: z.object({ id: agentIdSchema, name: z.string().max(255), version: z.string().max(64) }),
  spool: z.string().regex(/^[0-9a-f]{8}$/, 'eight hexadecimal digits'),
  /** Fields of every event of this agent (`host.*`), nested. */
  common: z.record(z.string(), z.unknown()).optional(),
  /** Offset from UTC of the host's local time, `+02:00`: log lines without a zone are read in it. */
  timezone: z
    .string()
    .regex(/^[+-]\d{2}:\d{2}$/)
    .optional(),
  /** Milliseconds since 1970 by the host's clock when this was sent: so it is known how far the clock is off. Older agents do not say. */
  sent: z.number().int().optional(),
})

export type EventsHeader = z.infer<typeof eventsHeaderSchema>

/** Each further line: one record of the spool. `offset` rises from line to line. */
export const eventRecordSchema = z.object({
  offset: z.number().int().min(0),
  /** Milliseconds since 1970 when the record entered the spool: the first part of the document's id, so it never changes. */
  time: z.number().int().min(0),
  data_stream: dataStreamSchema,
  /** Nested ECS fields as the input knows them; `message` holds the raw line of a log. */
  event: z.record(z.string(), z.unknown()),
})

export type EventRecord = z.infer<typeof eventRecordSchema>

/** The answer, sent only after search acknowledged every record: the spool may forget all offsets below `acknowledged`. */
export const eventsResponseSchema = z.object({ acknowledged: z.number().int().min(0) })

export type EventsResponse = z.infer<typeof eventsResponseSchema>

/** How errors look to agents: Fleet Server's form. */
export interface AgentApiError {
  readonly statusCode: number
  readonly error: string
  readonly message: string
}

/** A hidden index of the agents' state; `version` rises with its mapping (see `ensureHiddenIndex`). */
interface AgentStateIndex {
  readonly name: string
  readonly version: number
  readonly properties: Readonly<Record<string, { readonly type: string; readonly enabled?: boolean }>>
}

const keyword = { type: 'keyword' }
const date = { type: 'date' }
const long = { type: 'long' }
const boolean = { type: 'boolean' }
const opaque = { type: 'object', enabled: false }

/** Hidden indices that agent-server owns. Document ids: an agent's id, a policy's id, an action's id, a token's id, `settings`. */
export const agentIndices = {
  agents: {
    name: '.logstack-agents',
    version: 1,
    properties: {
      active: boolean,
      status: keyword,
      policy_id: keyword,
      policy_revision: long,
      enrolled_at: date,
      unenrolled_at: date,
      last_checkin: date,
      last_checkin_status: keyword,
      last_checkin_message: keyword,
      access_key_id: keyword,
      access_key_sha256: keyword,
      certificate_serial: keyword,
      certificate_not_after: date,
      host_name: keyword,
      os_name: keyword,
      agent_version: keyword,
      tags: keyword,
      local_metadata: opaque,
      components: opaque,
    },
  },
  policies: {
    name: '.logstack-policies',
    version: 2,
    properties: {
      name: keyword,
      revision: long,
      shipped_version: long,
      updated_at: date,
      inputs: opaque,
      endpoint_hosts: keyword,
      collect_paths: keyword,
    },
  },
  actions: {
    name: '.logstack-actions',
    version: 2,
    properties: {
      agent_id: keyword,
      type: keyword,
      data: opaque,
      status: keyword,
      created_at: date,
      created_by: keyword,
      expires_at: date,
      not_before: date,
      rollout_id: keyword,
      delivered_at: date,
      completed_at: date,
      message: keyword,
      result: opaque,
    },
  },
  tokens: {
    name: '.logstack-enrolment-tokens',
    version: 1,
    properties: {
      name: keyword,
      policy_id: keyword,
      active: boolean,
      created_at: date,
      created_by: keyword,
      expires_at: date,
      key_sha256: keyword,
    },
  },
  settings: {
    name: '.logstack-agent-server',
    version: 2,
    properties: { fleet_server_hosts: keyword, source: keyword, updated_at: date },
  },
} as const satisfies Record<string, AgentStateIndex>

/** The states an agent is shown in. */
export type AgentStatus = 'online' | 'offline' | 'unhealthy' | 'updating'
