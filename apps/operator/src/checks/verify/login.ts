import { checkAdministrator } from '../../steps/accounts.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** The stored password of the administrator logs in at search and at the dashboard, and a wrong one does not. */
export const login: Check = defineCheck({
  name: 'login',
  title: 'login',
  async diagnose(stack) {
    const { adminUser } = stack.choices
    await checkAdministrator(stack)
    const body = { username: adminUser, password: stack.vault.read(adminUser) }
    const request = { method: 'POST', path: '/api/session', body, anonymous: true, accept: [401, 403] } as const
    const { status } = await stack.clients.dashboard().request(request)
    if (status !== 200)
      return failed(`the dashboard answers ${status} to a login as [${adminUser}]`, './logstack logs dashboard')
    return passed(`[${adminUser}] at search and dashboard`)
  },
})
