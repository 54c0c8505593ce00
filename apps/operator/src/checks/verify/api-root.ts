import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** Search answers its root request over TLS under the stack's authority, and calls itself by its container's name. */
export const apiRoot: Check = defineCheck({
  name: 'api-root',
  title: 'search API',
  async diagnose({ clients }) {
    const { body } = await clients
      .search()
      .request<{ name?: string; version?: { number?: string } }>({ method: 'GET', path: '/' })
    if (body.name !== 'logstack-search') {
      return failed(`${clients.searchUrl} is answered by [${body.name}]`, 'see what listens there: ./logstack status')
    }
    return passed(`${clients.searchUrl} version ${body.version?.number}`)
  },
})
