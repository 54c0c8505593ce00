import { addressFields } from './address-fields.ts'
import { adminPassword } from './admin-password.ts'
import { agentServerUrl } from './agent-server-url.ts'
import { agentSpool } from './agent-spool.ts'
import { agents } from './agents.ts'
import { alertRules } from './alert-rules.ts'
import { certificateAuthority } from './certificate-authority.ts'
import { certificates } from './certificates.ts'
import { containerRuntimeLock } from './container-runtime-lock.ts'
import { dashboards } from './dashboards.ts'
import { defaultPattern } from './default-pattern.ts'
import type { Fault } from './define-fault.ts'
import { diskBlock } from './disk-block.ts'
import { diskSpace } from './disk-space.ts'
import { indexTemplates } from './index-templates.ts'
import { logicalVolume } from './logical-volume.ts'
import { markers } from './markers.ts'
import { pendingPassword } from './pending-password.ts'
import { primaries } from './primaries.ts'
import { replicas } from './replicas.ts'
import { servicePasswords } from './service-passwords.ts'
import { vault } from './vault.ts'
import { windowsForwarding } from './windows-forwarding.ts'

/** Every fault `logstack doctor` knows, causes before what follows from them: this is the order of its lines and of its repairs. */
export const faults: readonly Fault[] = [
  // The container runtime: nothing can be looked at or mended without it.
  containerRuntimeLock,
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
  // Data in search.
  diskBlock,
  primaries,
  replicas,
  indexTemplates,
  addressFields,
  // What people and agents use.
  markers,
  defaultPattern,
  dashboards,
  agentServerUrl,
  agentSpool,
  agents,
  alertRules,
  windowsForwarding,
]
