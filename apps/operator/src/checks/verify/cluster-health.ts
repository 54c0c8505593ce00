import { searchIsRemote } from '../../stack.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** Cluster health is green; of a cluster in search's place, not red. */
export const clusterHealth: Check = defineCheck({
  name: 'cluster-health',
  title: 'cluster health',
  async diagnose(stack) {
    const { body } = await stack.clients.search().request<{ status?: string; unassigned_shards?: number }>({
      method: 'GET',
      path: '/_cluster/health',
    })
    if (body.status === 'green') return passed('green')
    // A cluster works on while copies are missing; they are its owner's business.
    if (body.status === 'yellow' && searchIsRemote(stack))
      return passed(`yellow, ${body.unassigned_shards ?? '?'} unassigned shards`)
    return failed(
      `${body.status}, ${body.unassigned_shards ?? '?'} unassigned shards`,
      'in Dev Tools: PUT /_settings {"index.number_of_replicas": 0}',
    )
  },
})
