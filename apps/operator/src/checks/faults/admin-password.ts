import { existsSync, readFileSync } from 'node:fs'
import { AppError, operatorErrors } from '@logstack/errors'
import { generatePassword } from '@logstack/passwords'
import { isSignedBy } from '@logstack/pki'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { outcomeOf, tryInside, tryLogin } from '../../evidence/login.ts'
import { errorOf, whoAmI } from '../../evidence/search-answers.ts'
import { servedCertificate } from '../../evidence/served-certificate.ts'
import { changePassword, storeAccepted } from '../../passwords/change-password.ts'
import { unproven } from '../../telling/unproven.ts'

/** Drift of the administrator's password: the vault's is refused by the very search that holds the data, while that search works. */
export const adminPassword = defineFault<{ readonly username: string }>({
  name: 'admin-password',
  title: 'password of administrator',
  ofOwnSearch: true,
  explainedBy: ['mounts', 'pending-password'],
  limitMs: 15_000,
  async diagnose(context) {
    const { look, stack } = context
    const username = stack.choices.adminUser
    const answer = await look.asAdmin(whoAmI)
    if (answer.state === 'vault') return { status: 'unknown', why: `no stored password: ${answer.message}` }
    const first = outcomeOf(answer)
    const own = { username, password: stack.vault.read(username) }
    const login = first.state === 'slowed' ? ((await tryInside(stack, own)) ?? first) : first
    if (login.state === 'accepted') return { status: 'healthy', detail: `[${username}] logs in at search` }
    if (login.state === 'unknown') return { status: 'unknown', why: login.why }
    if (login.state === 'slowed') {
      const why = `search slows down logins of [${username}], which says nothing of the stored password: ${login.reason}`
      return { status: 'unknown', why }
    }
    const stranger = await strangerAtThePort(context)
    if (stranger !== undefined) return { status: 'unknown', why: stranger }
    return {
      status: 'fault',
      problem: `search refuses the stored password of [${username}]`,
      evidence: [
        `GET ${stack.clients.searchUrl}${whoAmI} with the stored password: HTTP 401`,
        `security_exception: ${login.reason}`,
        'the same request without credentials: HTTP 401, missing authentication credentials (search works)',
      ],
      meaning: 'the password in the vault is not the one of search: nobody who uses the stored one can log in',
      found: { username },
    }
  },
  plan({ ask, stack }, { username }) {
    const reset = [
      `./logstack password reset ${username}`,
      `# <NEW_PASSWORD> is set inside search, stored as ${stack.paths.vaultDir}/${username}, read back, and proved by a login`,
    ]
    // Before the other: what is set anew, whoever uses the password must be told.
    const known = ask
      ? '# if you know the current password: enter it, it is proved by a login and stored'
      : '# if you know the current password: ./logstack doctor --repair asks for it; or ./logstack password set takes it; either stores it'
    return [known, ...reset]
  },
  async repair(context, { username }, progress) {
    const { ask, stack } = context
    const known = await ask?.(`Current password of ${username} (empty: set a random one): `, { secret: true })
    if (!known) {
      await changePassword(stack, username, generatePassword(), (doing) => progress.waiting(doing))
      return
    }
    const login = await tryLogin(context, { username, password: known })
    if (login.state !== 'accepted') {
      const message = `search does not accept that password either: ${login.state === 'unknown' ? login.why : login.reason}`
      throw new AppError(operatorErrors.option_invalid, message, {
        fix: './logstack doctor --repair, and give no password: a random one is set',
      })
    }
    await storeAccepted(stack, username, known)
  },
  async prove({ look, stack }, { username }) {
    const password = stack.vault.read(username)
    const login = await tryLogin({ look, stack }, { username, password })
    if (login.state !== 'accepted') throw unproven(`search does not accept the stored password of [${username}]`)
    const { status } = await stack.clients.dashboard().request({
      method: 'POST',
      path: '/api/session',
      body: { username, password },
      anonymous: true,
      accept: [401, 403],
    })
    if (status !== 200) throw unproven(`the dashboard answers ${status} to a login as [${username}]`)
    return `[${username}] logs in at search and at the dashboard with the stored password`
  },
})

// A 401 proves drift only when it comes from the search that holds the data: one that works, under this stack's authority.
async function strangerAtThePort(context: DoctorContext): Promise<string | undefined> {
  const { look, stack } = context
  const anonymous = await look.anonymous('/')
  const isSearch = anonymous.state === 'answered' && errorOf(anonymous.body).type === 'security_exception'
  if (!isSearch || anonymous.status !== 401)
    return `what answers at ${stack.clients.searchUrl} does not behave as search`
  const served = await servedCertificate(context, 'search')
  if (served === undefined || !existsSync(stack.paths.caFile)) return undefined
  if (isSignedBy(served, readFileSync(stack.paths.caFile, 'utf8'))) return undefined
  return `what answers at ${stack.clients.searchUrl} has a certificate of another authority: it is not the search that holds the data`
}
