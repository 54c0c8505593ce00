import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** Cluster health is green. */
export const clusterHealth: Check = defineCheck({
  name: 'cluster-health',
  title: 'cluster health',
  async diagnose({ clients }) {
    const { body } = await clients.search().request<{ status?: string; unassigned_shards?: number }>({
      method: 'GET',
      path: '/_cluster/health',
    })
    if (body.status === 'green') return passed('green')
    return failed(
      `${body.status}, ${body.unassigned_shards ?? '?'} unassigned shards`,
      'in Dev Tools: PUT /_settings {"index.number_of_replicas": 0}',
    )
  },
})
