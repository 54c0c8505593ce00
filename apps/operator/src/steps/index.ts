import type { EmbeddedStack } from '../stack.ts'
import { accounts } from './accounts.ts'
import { adminDropIn } from './admin-drop-in.ts'
import { agentServerSetup } from './agent-server-setup.ts'
import { certificates } from './certificates.ts'
import { endpointDashboards, searchDashboards } from './dashboards.ts'
import { dataTree } from './data-tree.ts'
import type { Step } from './define-step.ts'
import { enrolAgent } from './enrol-agent.ts'
import { environmentFile } from './environment-file.ts'
import { indexPatterns } from './index-patterns.ts'
import { indexTemplatesStep } from './index-templates.ts'
import { type RemoteSearchGiven, remoteSearchStep } from './remote-search.ts'
import { secrets } from './secrets.ts'
import { settlePasswordsStep } from './settle-passwords.ts'
import { startAgentServer, startMiddle, startSearch } from './start-parts.ts'
import { startSupervisor } from './start-supervisor.ts'

/** The steps of `logstack up`, in order, and what was told about a cluster in search's place. The same steps repair a stack: each does only what is missing. */
export const upStepsWith = (given: RemoteSearchGiven): readonly Step<EmbeddedStack>[] => [
  dataTree,
  environmentFile,
  remoteSearchStep(given),
  secrets,
  certificates,
  adminDropIn,
  startSupervisor,
  startSearch,
  settlePasswordsStep,
  accounts,
  indexTemplatesStep,
  startMiddle,
  indexPatterns,
  searchDashboards,
  endpointDashboards,
  startAgentServer,
  agentServerSetup,
  enrolAgent,
]

/** The steps of `logstack up` where nothing new is told. */
export const upSteps = upStepsWith({})
