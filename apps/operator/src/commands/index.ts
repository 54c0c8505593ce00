import { registerAdvisories } from './advisories.ts'
import { registerAgent } from './agent.ts'
import { registerAlerts } from './alerts.ts'
import { registerBundle } from './bundle.ts'
import { registerCerts } from './certs.ts'
import type { RegisterCommand } from './command.ts'
import { registerCompletion, registerManual } from './completion.ts'
import { registerConfig } from './config.ts'
import { registerDoctor } from './doctor.ts'
import { registerDown } from './down.ts'
import { registerFirewall } from './firewall.ts'
import { registerInstall } from './install.ts'
import { registerLogs } from './logs.ts'
import { registerMemory } from './memory.ts'
import { registerPassword } from './password.ts'
import { registerRetention } from './retention.ts'
import { registerRules } from './rules.ts'
import { registerRestart, registerStart, registerStop } from './start-stop.ts'
import { registerStatus } from './status.ts'
import { registerSupervise } from './supervise.ts'
import { registerSupportBundle } from './support-bundle.ts'
import { registerUninstall } from './uninstall.ts'
import { registerUp } from './up.ts'
import { registerVault } from './vault.ts'
import { registerVerify } from './verify.ts'

/** The commands, in the order in which help lists them. */
export const commands: readonly RegisterCommand[] = [
  registerUp,
  registerInstall,
  registerUninstall,
  registerDown,
  registerStart,
  registerStop,
  registerRestart,
  registerStatus,
  registerVerify,
  registerDoctor,
  registerSupportBundle,
  registerLogs,
  registerMemory,
  registerRetention,
  registerPassword,
  registerVault,
  registerCerts,
  registerFirewall,
  registerBundle,
  registerConfig,
  registerAgent,
  registerRules,
  registerAlerts,
  registerAdvisories,
  registerCompletion,
  registerManual,
  registerSupervise,
]
