import { serviceAccounts } from '@logstack/contracts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** The stored password of every part's account logs in at search. */
export const accounts: Check = defineCheck({
  name: 'accounts',
  title: 'service accounts',
  async diagnose({ clients, vault }) {
    const refused: string[] = []
    for (const { username } of serviceAccounts) {
      const request = { method: 'GET', path: '/_security/_authenticate', accept: [401] } as const
      const { status } = await clients.searchAs(username, vault.read(username)).request(request)
      if (status !== 200) refused.push(username)
    }
    if (refused.length > 0) return failed(`search refuses ${refused.join(', ')}`, './logstack down && ./logstack up')
    return passed(`${serviceAccounts.length} log in`)
  },
})
