/** What agent-server takes at most, so that nothing grows without end. */
export const limits = {
  bodyBytesMax: 1024 * 1024,
  /** A request whose head and body are not whole after this time is answered with 408; how long its answer takes does not count. */
  requestTimeoutMs: 60_000,
  agentsMax: 10_000,
  /** Kept for a week each: some upgrades of all agents. */
  actionsMax: 50_000,
  policiesMax: 1_000,
  actionsOpenPerAgentMax: 20,
  heldCheckinsMax: 20_000,
  /** A roll-out to all hosts at once asks for thousands; a hundred a second leave time for everything else. */
  enrolmentsPerMinuteMax: 6_000,
  /** So long an agent that was taken off the list may come and hear of it; then nothing is kept of it. */
  unenrolledKeptDays: 30,
  tokensListedMax: 1_000,
  tokenLifetimeHoursMax: 8_760,
} as const
