import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountOf, agentIndices, type OrderedAction } from '@logstack/contracts'
import { AppError, messageOf, platformErrors } from '@logstack/errors'
import { replaceCertificate } from '@logstack/http-server'
import {
  type PartCertificates,
  type PartContext,
  type PartEnvironment,
  type RunningPart,
  readCertificates,
  readSecret,
} from '@logstack/part'
import type { Authority } from '@logstack/pki'
import { ensureHiddenIndex, SearchClient } from '@logstack/search-client'
import { Actions } from './actions/actions.ts'
import { endpointHosts, fleetServerUrl } from './addresses.ts'
import { Agents, type StoredAgent } from './agents/agents.ts'
import { HeldCheckins } from './agents/held-checkins.ts'
import { FleetSettings, type StoredFleetSettings } from './fleet-settings.ts'
import { Installer } from './installer/installer.ts'
import { wazuhPortsOf } from './installer/wazuh-commands.ts'
import { limits } from './limits.ts'
import { Policies, type StoredPolicy } from './policies/policies.ts'
import { createAgentServer } from './server.ts'
import type { Services } from './services.ts'
import type { AgentServerSettings } from './settings.ts'
import { StateIndex } from './state-index.ts'
import { type EnrolmentToken, EnrolmentTokens } from './tokens/enrolment-tokens.ts'
import { waitForDashboard } from './wait-for-dashboard.ts'

const upkeepEveryMs = 5_000
const dayMs = 86_400_000
const part = 'agent-server'

/** Starts agent-server: waits for the dashboard, opens its state in search, makes the default policy, writes its URL if absent, listens. */
export async function startAgentServer(context: PartContext<AgentServerSettings>): Promise<RunningPart> {
  const { environment, settings, logger } = context
  const { listen } = environment
  if (!listen) throw new AppError(platformErrors.environment_missing, 'environment variable LOGSTACK_LISTEN is not set')
  const tls = readCertificates(environment, part)
  const dashboardUrl = environment.env['LOGSTACK_DASHBOARD_URL']
  if (dashboardUrl) {
    await waitForDashboard({ url: dashboardUrl, ca: tls.ca, limitMs: settings.get('dashboard.wait_ms'), logger })
  }
  const stopping = new AbortController()
  const services = openServices(context, tls, stopping.signal)
  const { search, ...own } = services
  for (const index of Object.values(agentIndices)) await ensureHiddenIndex(search, index)
  const sources = {
    ipvar: environment.ipvar,
    listen,
    endpointManagerUrl: environment.env['LOGSTACK_ENDPOINT_MANAGER_URL'],
  }
  const wrote = await own.fleetSettings.load(fleetServerUrl(sources))
  if (wrote) logger.info({ hosts: own.fleetSettings.hosts }, 'wrote the URL of agent-server')
  await own.policies.load({ endpointHosts: endpointHosts(sources), fleetHosts: own.fleetSettings.hosts })
  // One that is not known here is refused: all that there are are read, also where an earlier version let in some more.
  await own.agents.load(2 * limits.agentsMax)
  await own.actions.load()
  const app = createAgentServer(own, withChain(tls))
  await app.listen({ host: listen.host, port: listen.port })
  let keeping: Promise<void> | undefined
  const upkeep = setInterval(() => {
    // A search that is slow to answer is not asked the same again meanwhile.
    keeping ??= keepUp(own).finally(() => {
      keeping = undefined
    })
  }, upkeepEveryMs)
  return {
    async stop() {
      clearInterval(upkeep)
      await keeping
      stopping.abort()
      await app.close()
      await keepUp(own)
      search.close()
    },
    reload: () => replaceCertificate(app, withChain(readCertificates(environment, part))),
  }
}

/** The authority goes along in the handshake, so that a new agent can know it by its fingerprint. */
function withChain(tls: PartCertificates): { cert: string; key: string } {
  return { cert: `${tls.cert.trimEnd()}\n${tls.ca}`, key: tls.key }
}

function openServices(
  { environment, settings, logger }: PartContext<AgentServerSettings>,
  tls: PartCertificates,
  stopping: AbortSignal,
): Services & { search: SearchClient } {
  const { username } = accountOf(part)
  const password = readSecret(environment, username)
  const url = environment.searchUrl
  const search = new SearchClient({ url, ca: tls.searchCa, credentials: { username, password } })
  const now = (): number => Date.now()
  const agents = new Agents(new StateIndex<StoredAgent>(search, agentIndices.agents), now)
  const actions = new Actions(new StateIndex<OrderedAction>(search, agentIndices.actions), now)
  const policies = new Policies(new StateIndex<StoredPolicy>(search, agentIndices.policies), now)
  const held = new HeldCheckins(stopping)
  agents.on('changed', (id) => held.agentChanged(id))
  actions.on('changed', (id) => held.agentChanged(id))
  policies.on('changed', (id) => held.policyChanged(id))
  return {
    search,
    logger,
    settings,
    agents,
    held,
    actions,
    policies,
    tokens: new EnrolmentTokens(new StateIndex<EnrolmentToken>(search, agentIndices.tokens), now),
    fleetSettings: new FleetSettings(new StateIndex<StoredFleetSettings>(search, agentIndices.settings), now),
    installer: new Installer(environment.env['LOGSTACK_PROGRAM_DIR'] ?? import.meta.dirname, tls.ca),
    wazuhPorts: wazuhPortsOf(
      environment.env['LOGSTACK_ENDPOINT_MANAGER_URL'],
      environment.env['LOGSTACK_WAZUH_ENROLMENT_URL'],
    ),
    authority: readAgentsAuthority(environment),
    asCaller: new SearchClient({ url, ca: tls.searchCa }),
    now,
    stopping,
  }
}

/** The authority of agents' client certificates: `agents-ca.crt` in the certificates' directory, its key a secret. */
function readAgentsAuthority(environment: PartEnvironment): Authority {
  const path = join(environment.certsDir, 'agents-ca.crt')
  try {
    return { cert: readFileSync(path, 'utf8'), key: readSecret(environment, 'logstack_agents_ca_key') }
  } catch (thrown) {
    throw new AppError(platformErrors.environment_missing, `cannot read the agents' authority at ${path}`, {
      cause: thrown,
      fix: './logstack verify',
    })
  }
}

async function keepUp({ agents, actions, settings, logger }: Services): Promise<void> {
  try {
    agents.sweep(settings.get('agents.offline_after_ms'))
    await agents.flush()
    await actions.sweep()
    await agents.forgetUnenrolled(limits.unenrolledKeptDays * dayMs)
  } catch (thrown) {
    logger.warn(`the agents' states are not written yet: ${messageOf(thrown)}`)
  }
}
