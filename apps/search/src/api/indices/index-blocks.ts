import { AppError, searchErrors } from '@logstack/errors'
import { defineRoute, type Route } from '../define-route.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { indicesOf } from './index-admin.ts'

const addable = ['read', 'write', 'read_only', 'metadata']

const addBlock = defineRoute({
  name: 'indices.add_block',
  methods: ['PUT'],
  paths: ['/{index}/_block/{block}'],
  privilege: { index: 'manage' },
  parameters: { ...indicesOptionParameters, timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' },
  async handle(request, services) {
    const block = request.params['block'] ?? ''
    if (!addable.includes(block)) {
      throw new AppError(searchErrors.illegal_argument_exception, `No block found with name ${block}`)
    }
    const found = indicesOf(request, services, 'indices.add_block', 'manage')
    for (const index of found) await services.catalogue.putSettings(index, { [`blocks.${block}`]: true })
    const indices = found.map(({ name }) => ({ name, blocked: true }))
    return { json: { acknowledged: true, shards_acknowledged: true, indices } }
  },
})

/** What may not be done with indices. */
export const indexBlockRoutes: readonly Route[] = [addBlock]
