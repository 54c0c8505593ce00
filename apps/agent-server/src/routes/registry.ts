import { acks } from './acks.ts'
import { actions } from './actions.ts'
import { agentPolicies } from './agent-policies.ts'
import { agents } from './agents.ts'
import { certificate } from './certificate.ts'
import { checkIn } from './check-in.ts'
import type { Route } from './define-route.ts'
import { enrol } from './enrol.ts'
import { enrolmentTokens } from './enrolment-tokens.ts'
import { fleetSettings } from './fleet-settings.ts'
import { install } from './install.ts'
import { leave } from './leave.ts'
import { rollouts } from './rollouts.ts'
import { status } from './status.ts'

/** Every route of agent-server. */
export const routes: readonly Route[] = [
  status,
  enrol,
  checkIn,
  acks,
  certificate,
  leave,
  fleetSettings,
  ...enrolmentTokens,
  ...agentPolicies,
  ...agents,
  ...actions,
  ...rollouts,
  ...install,
]
