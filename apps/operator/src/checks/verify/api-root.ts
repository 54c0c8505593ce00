import { searchIsRemote } from '../../stack.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** Search answers its root request over TLS under the stack's authority, and calls itself by its container's name; of a cluster in its place, what that is. */
export const apiRoot: Check = defineCheck({
  name: 'api-root',
  title: 'search API',
  async diagnose(stack) {
    const { clients } = stack
    if (searchIsRemote(stack)) {
      const { product, version } = await clients.search().capabilities()
      return passed(`${clients.searchUrl} ${product} ${version}`)
    }
    const { body } = await clients
      .search()
      .request<{ name?: string; version?: { number?: string } }>({ method: 'GET', path: '/' })
    if (body.name !== 'logstack-search') {
      return failed(`${clients.searchUrl} is answered by [${body.name}]`, 'see what listens there: ./logstack status')
    }
    return passed(`${clients.searchUrl} version ${body.version?.number}`)
  },
})
