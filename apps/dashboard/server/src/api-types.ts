/** Who is logged in, as `GET /api/session` tells the pages. */
export interface SessionInfo {
  readonly username: string
  readonly roles: readonly string[]
  /** Whether saved objects may be changed. */
  readonly canEdit: boolean
  /** The address of search that `search.public_url` names, without a slash at its end; absent where it names none. */
  readonly searchUrl?: string
  /** Epoch milliseconds when the session ends at the latest. */
  readonly expiresAt_ms: number
}

/** Whether agents can be added now, as `GET /api/agents/setup` tells the pages. */
export interface AgentSetup {
  readonly ready: boolean
  /** The address agents enrol at; absent while not ready. */
  readonly url?: string
  /** SHA-256 of the stack's authority, in hex, for agents to know the server by. */
  readonly caFingerprint?: string
  /** The line that adds a host, `<TOKEN>` where the token belongs; absent where agent-server has no agent to hand out. */
  readonly command?: string
  /** Lines that add a host with a Wazuh agent, by its system, `<TOKEN>` where the token belongs; absent where these may not enrol. */
  readonly wazuh?: Readonly<Record<'windows' | 'linux' | 'macos', string>>
  /** The problem, in the words of the operator's guide. */
  readonly message?: string
  /** What to do about it, in the order to try. */
  readonly remedies?: readonly string[]
}

/** One part of the stack as the dashboard sees it. */
export interface PartHealth {
  readonly name: string
  readonly state: 'up' | 'down' | 'unknown'
  readonly detail: string
}

/** The answer of `GET /api/parts`. */
export interface PartsHealth {
  readonly parts: readonly PartHealth[]
}

/** A new enrolment token, shown once. */
export interface EnrolmentToken {
  readonly token: string
  /** ISO 8601 */
  readonly expiresAt?: string | undefined
}
