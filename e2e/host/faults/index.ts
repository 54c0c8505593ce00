import { agentOffline, agentServerUrl, agentSpool } from './agents.ts'
import { alertRules } from './alert-rules.ts'
import {
  certificateAuthority,
  certificateExpired,
  certificateForeign,
  certificateKey,
  certificateNames,
} from './certificates.ts'
import { clockBehind } from './clock.ts'
import { companionsIdle } from './companion-units.ts'
import { containerRuntimeLock } from './container-runtime-lock.ts'
import { deadContainers, partKilled, partPaused, partsStopped } from './containers.ts'
import { dashboards, defaultPattern } from './dashboard-data.ts'
import type { Injection } from './define-injection.ts'
import { diskFiles, diskSpace } from './disk.ts'
import { environmentAddress, environmentMode } from './environment.ts'
import { firewallDrops, rulesFlushed } from './firewall.ts'
import { markerFalse, markerMissing } from './markers.ts'
import { diskMissing } from './mounts.ts'
import { nameServerKilled, nameServerStopped, resolverMissing } from './name-server.ts'
import { adminPassword, passwordCutOff, pendingPassword, servicePassword } from './passwords.ts'
import {
  imageBase,
  imageMissing,
  imageOutdated,
  loginShell,
  networkMissing,
  ownersWithin,
  ownerWrong,
  podmanMissing,
  secretMissing,
  volumeMissing,
} from './podman-objects.ts'
import {
  addressFields,
  backupFails,
  diskBlock,
  guessedIndices,
  indexTemplates,
  inputLoss,
  refusedWrites,
  replicas,
  stateIndices,
  windowsForwarding,
} from './search-data.ts'
import { configurationBroken, memoryTooMuch, portTaken } from './settings.ts'
import { unitMissing, unitUnparsable } from './units.ts'
import { vaultFile, vaultKey, vaultMode } from './vault.ts'

/** Every injection, in the order of the registry of faults. */
export const injections: readonly Injection[] = [
  podmanMissing,
  containerRuntimeLock,
  clockBehind,
  diskMissing,
  unitMissing,
  unitUnparsable,
  environmentMode,
  environmentAddress,
  networkMissing,
  firewallDrops,
  nameServerKilled,
  nameServerStopped,
  resolverMissing,
  rulesFlushed,
  imageMissing,
  imageOutdated,
  imageBase,
  volumeMissing,
  secretMissing,
  ownerWrong,
  ownersWithin,
  diskSpace,
  diskFiles,
  vaultMode,
  vaultFile,
  vaultKey,
  certificateAuthority,
  certificateExpired,
  certificateNames,
  certificateKey,
  certificateForeign,
  deadContainers,
  portTaken,
  configurationBroken,
  memoryTooMuch,
  partKilled,
  partsStopped,
  partPaused,
  companionsIdle,
  pendingPassword,
  passwordCutOff,
  adminPassword,
  servicePassword,
  stateIndices,
  diskBlock,
  replicas,
  indexTemplates,
  guessedIndices,
  addressFields,
  refusedWrites,
  inputLoss,
  backupFails,
  markerMissing,
  markerFalse,
  defaultPattern,
  dashboards,
  agentServerUrl,
  agentSpool,
  agentOffline,
  alertRules,
  windowsForwarding,
  loginShell,
]

/** The injection of a name; throws when there is none. */
export function injectionOf(name: string): Injection {
  const found = injections.find((one) => one.name === name)
  if (!found) throw new Error(`there is no injection [${name}]`)
  return found
}

/**
 * Each fault once, by name; together those of which none explains or hides another, so that few looks at everything are needed. Within a group they are made in
 * this order. These groups hold many faults each, and every run injects them.
 */
const largeGroups: readonly (readonly string[])[] = [
  [
    'replicas',
    'index-templates',
    'address-fields',
    'disk-block',
    'default-pattern',
    'markers',
    'login-shell',
    'alert-rules',
    'companion-units',
    // Last, as a part calms down when it is left alone.
    'restart-loop',
  ],
  ['image', 'podman-secrets', 'owners', 'memory', 'markers-false'],
  ['vault-mode', 'environment-file', 'certificate-names', 'agent-server-url', 'service-passwords'],
  [
    'clock',
    'windows-forwarding',
    'refused-writes',
    'input-losses',
    'backups',
    'agent-offline',
    'agent-spool',
    'dashboards',
  ],
]

/** The rest of them: one or two faults cost as much as a large group. In rows of one for each turn, put so that turns take about as long as each other. */
const smallGroups: readonly (readonly string[])[] = [
  ['container-runtime-lock'],
  // Alone: a container that starts anew for another fault would bring it up again.
  ['name-server'],
  ['units-unparsable'],

  ['network'],
  ['certificate-expired'],
  ['configuration', 'ports'],

  ['parts-down', 'password-cut-off'],
  ['volumes', 'admin-password'],
  ['firewall'],

  ['certificate-authority'],
  ['dead-containers'],
  ['disk-space'],

  ['container-runtime'],
  // Alone: an alerter that starts anew for another fault would mend it.
  ['state-indices'],
  // Alone: it follows from templates that are missing, and its writes from a block.
  ['guessed-indices'],
  ['mounts'],
  // Alone: nothing else can be asked meanwhile.
  ['published-ports'],
]

/** How many turns it takes until each small group was injected. */
export const turnsMax = 3

/** Every fault once. */
export const usualGroups: readonly (readonly string[])[] = [...largeGroups, ...smallGroups]

/** The large groups, and of the small ones those whose turn it is: any three turns that follow each other hold every usual group. */
export function groupsOfTurn(turn: number): readonly (readonly string[])[] {
  return [...largeGroups, ...smallGroups.filter((_, at) => at % turnsMax === turn % turnsMax)]
}

/** Other faults, and other ways to the same ones, in groups of the same kind. */
export const otherGroups: readonly (readonly string[])[] = [
  // Not with a certificate: whoever writes the address anew renews them.
  ['environment-file-address', 'image-outdated'],
  ['units'],
  ['vault-file', 'certificate-key'],
  ['owners-within'],
  ['image-base'],
  ['disk-space-files'],
  ['vault-key'],
  ['certificate-foreign'],
  ['name-server-stopped'],
  ['name-server-resolver'],
  ['parts-down-paused'],
  ['pending-password'],
]
