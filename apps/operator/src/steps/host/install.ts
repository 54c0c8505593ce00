import { accounts } from '../accounts.ts'
import { adminDropIn } from '../admin-drop-in.ts'
import { agentServerSetup } from '../agent-server-setup.ts'
import { certificates } from '../certificates.ts'
import { endpointDashboards, searchDashboards } from '../dashboards.ts'
import { dataTree } from '../data-tree.ts'
import type { Step } from '../define-step.ts'
import { environmentFile } from '../environment-file.ts'
import { indexPatterns } from '../index-patterns.ts'
import { indexTemplatesStep } from '../index-templates.ts'
import { type RemoteSearchGiven, remoteSearchStep } from '../remote-search.ts'
import { secrets } from '../secrets.ts'
import { settlePasswordsStep } from '../settle-passwords.ts'
import { startAgentServer, startMiddle, startSearch } from '../start-parts.ts'
import { type Bundle, loadBundle } from './bundle.ts'
import { containerNetwork } from './container-network.ts'
import { definitions } from './definitions.ts'
import { hostAgent } from './host-agent.ts'
import { imageStep } from './image.ts'
import { owners } from './owners.ts'
import { podmanSecrets } from './podman-secrets.ts'
import { programCopy } from './program-copy.ts'
import { searchUnit } from './search-unit.ts'
import { shellHelp } from './shell-help.ts'
import { stopOutdated } from './stop-outdated.ts'
import { launcher, stackUnit, units } from './units.ts'
import { volumes } from './volumes.ts'

/** The steps of `logstack install`, in order: those before the parts run, and those that need them. */
export function installSteps(options: {
  readonly baseImage: string | undefined
  readonly bundle?: Bundle | undefined
  readonly remoteSearch?: RemoteSearchGiven
}): {
  readonly prepare: readonly Step[]
  readonly run: readonly Step[]
} {
  return {
    prepare: [
      programCopy,
      definitions,
      volumes,
      dataTree,
      environmentFile,
      remoteSearchStep(options.remoteSearch),
      secrets,
      certificates,
      owners,
      adminDropIn,
      podmanSecrets,
      ...(options.bundle ? [loadBundle(options.bundle)] : []),
      imageStep(options.baseImage ?? options.bundle?.baseImage),
      launcher,
      shellHelp,
      units,
      searchUnit,
    ],
    run: [
      stopOutdated,
      startSearch,
      containerNetwork,
      settlePasswordsStep,
      accounts,
      indexTemplatesStep,
      startMiddle,
      indexPatterns,
      searchDashboards,
      endpointDashboards,
      startAgentServer,
      agentServerSetup,
      stackUnit,
      hostAgent,
    ],
  }
}
