import { createReadStream } from 'node:fs'
import { AppError, agentsErrors } from '@logstack/errors'
import { installerFiles } from '../installer/installer.ts'
import { wazuhCommands } from '../installer/wazuh-commands.ts'
import type { Services } from '../services.ts'
import { administratorRoute } from './administrator.ts'
import { defineRoute, RawAnswer } from './define-route.ts'

const scriptName = 'logstack-agent.sh'

/** `GET /api/agent/install.sh`: what a host runs to become an endpoint. It holds no secret: the token is its argument. */
const script = defineRoute({
  method: 'GET',
  path: '/api/agent/install.sh',
  access: 'open',
  async handle({ services }) {
    const { text } = await services.installer.script(urlOf(services))
    return new RawAnswer('text/x-shellscript; charset=utf-8', text)
  },
})

/** `GET /api/agent/agent.mjs`, `…/node`, `…/logstack-agent-SYSTEM.gz`: what the script and upgrades download and check. */
const files = installerFiles.map((file) =>
  defineRoute({
    method: 'GET',
    path: `/api/agent/${file}`,
    access: 'open',
    async handle({ services }) {
      return new RawAnswer('application/octet-stream', createReadStream(services.installer.path(file)))
    },
  }),
)

/**
 * `GET /api/fleet/agents/command`: the one line that adds a host, without the token, which stands where `<TOKEN>` does; and, where Wazuh agents may
 * enrol, those that add one with such an agent.
 */
const command = administratorRoute({
  method: 'GET',
  path: '/api/fleet/agents/command',
  async handle({ services }) {
    const url = urlOf(services)
    const { sha256 } = await services.installer.script(url)
    const wazuh = services.wazuhPorts && wazuhCommands(url, services.wazuhPorts)
    return { item: { command: commandLine(url, sha256), script_sha256: sha256, ...(wazuh && { wazuh }) } }
  },
})

/** The download itself is trusted by nobody: the hash is what the administrator brings along. */
function commandLine(url: string, sha256: string): string {
  return `curl -fsSk ${url}/api/agent/install.sh -o ${scriptName} && echo '${sha256}  ${scriptName}' | sha256sum -c - && sudo sh ${scriptName} --token <TOKEN>`
}

function urlOf({ fleetSettings }: Services): string {
  const [url] = fleetSettings.hosts
  if (url !== undefined) return url
  throw new AppError(agentsErrors.agent_not_offered, 'Missing URL for Fleet Server host', {
    fix: 'set IPVAR and restart agent-server',
  })
}

/** How hosts get the agent. */
export const install = [script, ...files, command]
