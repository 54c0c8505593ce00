/** What agent-server takes at most, so that nothing grows without end. */
export const limits = {
  bodyBytesMax: 1024 * 1024,
  /** A request whose head and body are not whole after this time is answered with 408; how long its answer takes does not count. */
  requestTimeoutMs: 60_000,
  agentsMax: 10_000,
  actionsMax: 10_000,
  policiesMax: 1_000,
  actionsOpenPerAgentMax: 20,
  heldCheckinsMax: 20_000,
  enrolmentsPerMinuteMax: 600,
  tokensListedMax: 1_000,
  tokenLifetimeHoursMax: 8_760,
} as const
