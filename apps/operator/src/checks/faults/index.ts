import type { Fault } from '../../doctor/define-fault.ts'
import { addressFields } from './address-fields.ts'
import { adminPassword } from './admin-password.ts'
import { agentServerUrl } from './agent-server-url.ts'
import { agentSpool } from './agent-spool.ts'
import { agents } from './agents.ts'
import { alertRules } from './alert-rules.ts'
import { backups } from './backups.ts'
import { certificateAuthority } from './certificate-authority.ts'
import { certificates } from './certificates.ts'
import { clock } from './clock.ts'
import { companionUnits } from './companion-units.ts'
import { configuration } from './configuration.ts'
import { containerRuntime } from './container-runtime.ts'
import { containerRuntimeLock } from './container-runtime-lock.ts'
import { dashboards } from './dashboards.ts'
import { deadContainers } from './dead-containers.ts'
import { defaultPattern } from './default-pattern.ts'
import { diskBlock } from './disk-block.ts'
import { diskSpace } from './disk-space.ts'
import { environmentFile } from './environment-file.ts'
import { firewall } from './firewall.ts'
import { guessedIndices } from './guessed-indices.ts'
import { image } from './image.ts'
import { indexTemplates } from './index-templates.ts'
import { inputLosses } from './input-losses.ts'
import { logicalVolume } from './logical-volume.ts'
import { loginShell } from './login-shell.ts'
import { markers } from './markers.ts'
import { memory } from './memory.ts'
import { mounts } from './mounts.ts'
import { nameServer } from './name-server.ts'
import { network } from './network.ts'
import { partsDown } from './parts-down.ts'
import { pendingPassword } from './pending-password.ts'
import { podmanSecrets } from './podman-secrets.ts'
import { ports } from './ports.ts'
import { primaries } from './primaries.ts'
import { publishedPorts } from './published-ports.ts'
import { refusedWrites } from './refused-writes.ts'
import { replicas } from './replicas.ts'
import { restartLoop } from './restart-loop.ts'
import { servicePasswords } from './service-passwords.ts'
import { stateIndicesLost } from './state-indices.ts'
import { supervisor } from './supervisor.ts'
import { units } from './units.ts'
import { vault } from './vault.ts'
import { owners, volumes } from './volumes.ts'
import { windowsForwarding } from './windows-forwarding.ts'

/** Every fault `logstack doctor` knows, causes before what follows from them: this is the order of its lines and of its repairs. */
export const faults: readonly Fault[] = [
  // The container runtime: nothing can be looked at or mended without it.
  containerRuntime,
  containerRuntimeLock,
  supervisor,
  clock,
  // What lies on a disk that is missing seems to be lost.
  mounts,
  // Definitions, and what they name.
  units,
  environmentFile,
  network,
  firewall,
  nameServer,
  publishedPorts,
  image,
  volumes,
  // Room on disk: nothing can be written without it.
  logicalVolume,
  diskSpace,
  // Secrets and certificates: nothing can log in without them.
  vault,
  certificateAuthority,
  certificates,
  pendingPassword,
  adminPassword,
  servicePasswords,
  podmanSecrets,
  owners,
  // What parts keep in search: they do not start without it.
  stateIndicesLost,
  // What runs.
  deadContainers,
  ports,
  configuration,
  memory,
  restartLoop,
  partsDown,
  companionUnits,
  // Data in search.
  diskBlock,
  primaries,
  replicas,
  indexTemplates,
  guessedIndices,
  addressFields,
  refusedWrites,
  inputLosses,
  backups,
  // What people and agents use.
  markers,
  loginShell,
  defaultPattern,
  dashboards,
  agentServerUrl,
  agentSpool,
  agents,
  alertRules,
  windowsForwarding,
]
