import type { Logger } from '@logstack/logging'
import type { Authority } from '@logstack/pki'
import type { SearchClient } from '@logstack/search-client'
import type { LiveSettings } from '@logstack/settings'
import type { Actions } from './actions/actions.ts'
import type { Agents } from './agents/agents.ts'
import type { HeldCheckins } from './agents/held-checkins.ts'
import type { FleetSettings } from './fleet-settings.ts'
import type { Installer } from './installer/installer.ts'
import type { WazuhPorts } from './installer/wazuh-commands.ts'
import type { Policies } from './policies/policies.ts'
import type { AgentServerSettings } from './settings.ts'
import type { EnrolmentTokens } from './tokens/enrolment-tokens.ts'

/** What the routes work with. */
export interface Services {
  readonly logger: Logger
  readonly settings: LiveSettings<AgentServerSettings>
  readonly agents: Agents
  readonly held: HeldCheckins
  readonly actions: Actions
  readonly policies: Policies
  readonly tokens: EnrolmentTokens
  readonly fleetSettings: FleetSettings
  readonly installer: Installer
  /** Where Wazuh agents send events and enrol; undefined where they may not. */
  readonly wazuhPorts: WazuhPorts | undefined
  /** Signs agents' client certificates. */
  readonly authority: Authority
  /** A client without credentials of its own, to ask search about a caller with the caller's. */
  readonly asCaller: SearchClient
  readonly now: () => number
  /** Ends held check-ins when the part stops. */
  readonly stopping: AbortSignal
}
