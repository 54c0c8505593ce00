import { agentServerUrl } from '../../steps/agent-server-setup.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** agent-server answers and knows the address agents use. */
export const agentServer: Check = defineCheck({
  name: 'agent-server',
  title: 'agent-server',
  async diagnose(stack) {
    await stack.clients.agentServer().request({ method: 'GET', path: '/api/status', anonymous: true })
    const url = await agentServerUrl(stack)
    if (!url) return failed('Missing URL for Fleet Server host', './logstack restart agent-server')
    return passed(url)
  },
})
