import type { Check } from './define-check.ts'
import { accounts } from './verify/accounts.ts'
import { agentServer } from './verify/agent-server.ts'
import { apiRoot } from './verify/api-root.ts'
import { certificates } from './verify/certificates.ts'
import { clusterHealth } from './verify/cluster-health.ts'
import { containers } from './verify/containers.ts'
import { dashboards } from './verify/dashboards.ts'
import { defaultIndexPattern } from './verify/default-pattern.ts'
import { login } from './verify/login.ts'
import { markers } from './verify/markers.ts'

/** What `logstack verify` proves, in the order of its lines. */
export const verifyChecks: readonly Check[] = [
  markers,
  containers,
  certificates,
  apiRoot,
  clusterHealth,
  login,
  accounts,
  dashboards,
  defaultIndexPattern,
  agentServer,
]
