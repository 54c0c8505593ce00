import { defineSettings, setting } from '@logstack/settings'
import { z } from 'zod'

const count = (min: number, max: number) => z.number().int().min(min).max(max)

/** agent-server's settings; `config/agent-server.yml` explains them to the operator. */
export const agentServerSettings = defineSettings('agent-server', {
  'checkin.hold_ms': setting(count(1_000, 300_000), {
    default: 60_000,
    applies: 'live',
    doc: 'How long a check-in without news is held open.',
  }),
  'agents.offline_after_ms': setting(count(5_000, 86_400_000), {
    default: 180_000,
    applies: 'live',
    doc: 'An agent whose last check-in ended longer ago than this is shown as offline.',
  }),
  'tokens.lifetime_hours': setting(count(1, 8_760), {
    default: 24,
    applies: 'live',
    doc: 'How long an enrolment token is good for, unless its maker says otherwise.',
  }),
  'dashboard.wait_ms': setting(count(0, 600_000), {
    default: 60_000,
    applies: 'restart',
    doc: 'How long to wait at start for the dashboard to answer before going on without it.',
  }),
})

export type AgentServerSettings = typeof agentServerSettings.table
