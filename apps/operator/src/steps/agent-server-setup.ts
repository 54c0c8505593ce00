import { z } from 'zod'
import { shapedAnswer } from '../clients/answer-shape.ts'
import { waitReady } from '../runtimes/start-order.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'
import { markerProblem, writeMarker } from './marker.ts'

const settingsSchema = z.object({ item: z.object({ fleet_server_hosts: z.array(z.string()).nullish() }) })

/** agent-server writes its default policy and the address agents use when it starts; the marker follows the read-back. */
export const agentServerSetup = defineStep({
  name: 'agent-server-setup',
  title: 'agent-server set-up',
  needs: ['agent-server'],
  async diagnose(stack) {
    const marker = markerProblem(stack.paths.markers['agent-server'])
    const plan = (await agentServerUrl(stack))
      ? []
      : ['restart logstack-agent-server, which writes its address at start']
    return findingOf(marker ? [...plan, `touch ${stack.paths.markers['agent-server']}`] : plan)
  },
  planFromNothing: ({ paths }) => [`touch ${paths.markers['agent-server']}`],
  async apply(stack) {
    if (await agentServerUrl(stack)) return
    await stack.runtime.restart('agent-server')
    await waitReady(stack.runtime, ['agent-server'])
  },
  async prove(stack) {
    if (!(await agentServerUrl(stack))) throw unproven('agent-server does not know its own address')
  },
  mark: (stack) => writeMarker(stack.paths.markers['agent-server']),
})

/** The address agents use, as agent-server tells it; undefined when it has none. */
export async function agentServerUrl(stack: Stack): Promise<string | undefined> {
  const answer = await stack.clients.agentServer().request({ method: 'GET', path: '/api/fleet/settings' })
  const { item } = shapedAnswer(answer, settingsSchema, 'what agent-server answers to /api/fleet/settings')
  return item.fleet_server_hosts?.[0]
}
