import { agentIndices } from '@logstack/contracts'
import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { restartParts } from '../../mending/restart-parts.ts'

const answer = z.object({ _source: z.object({ fleet_server_hosts: z.array(z.string()).nullish() }) })

/** agent-server's address for agents is not written down: adding an agent then shows `Missing URL for Fleet Server host`. */
export const agentServerUrl = defineFault<null>({
  name: 'agent-server-url',
  title: 'address of agent-server',
  explainedBy: ['mounts'],
  async diagnose(context) {
    const document = `/${agentIndices.settings.name}/_doc/settings`
    const settings = await askSearch(context, { path: document, answer })
    const [url] = settings?._source.fleet_server_hosts ?? []
    if (url) return { status: 'healthy', detail: url }
    const listing = await context.look.listing()
    const part = listing.state === 'answered' ? listing.parts.find((one) => one.part === 'agent-server') : undefined
    return {
      status: 'fault',
      problem: 'Missing URL for Fleet Server host',
      evidence: [
        `GET ${document}: ${settings ? 'no fleet_server_hosts' : 'not there'}`,
        `logstack-agent-server ${part?.statusText || 'is not listed'}`,
      ],
      meaning: 'no agent can be added; those that are enrolled go on',
      found: null,
    }
  },
  plan: ({ stack }) => ['./logstack restart agent-server', `# it writes https://${stack.choices.ipvar}:… at its start`],
  // That it is written a moment after the start is what the proof waits for.
  repair: ({ stack }, _found, progress) => restartParts(stack, ['agent-server'], progress),
})
