import { accountOf, containerName, type PartName, type ServiceAccount, serviceAccounts } from '@logstack/contracts'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { partTroubles } from '../../doctor/part-troubles.ts'
import { tryLogin } from '../../evidence/login.ts'
import { restartCommands } from '../../mending/restart-parts.ts'
import { startInOrder } from '../../runtimes/start-order.ts'
import { accounts } from '../../steps/accounts.ts'
import { journalArgv } from '../../systemd/argv.ts'

interface Refused {
  readonly account: ServiceAccount
  readonly reason: string
}

const journalLines = 60
const lineLengthMax = 300

interface Look {
  readonly refused: readonly Refused[]
  readonly unseen: readonly string[]
}

/** Drift of the parts' own accounts: search refuses what the vault holds for them. */
export const servicePasswords = defineFault<{ readonly parts: readonly PartName[] }>({
  name: 'service-passwords',
  title: 'passwords of parts',
  explainedBy: ['mounts', 'pending-password'],
  limitMs: 15_000,
  async diagnose(context) {
    const { refused, unseen } = await lookAtAll(context)
    if (refused.length === 0) {
      if (unseen.length > 0) return { status: 'unknown', why: unseen.join('; ') }
      return { status: 'healthy', detail: `${serviceAccounts.length} log in at search` }
    }
    const names = refused.map(({ account }) => account.username)
    return {
      status: 'fault',
      problem: `search refuses the stored password of ${names.map((name) => `[${name}]`).join(', ')}`,
      evidence: refused.map(({ account, reason }) => `${account.username}: ${reason}`),
      meaning: `${refused.map(({ account }) => account.part).join(', ')} cannot read or write, or will not after the next start`,
      found: { parts: refused.map(({ account }) => account.part) },
    }
  },
  plan({ stack }, { parts }) {
    const users = parts.map((part) => accountOf(part).username)
    return [
      ...users.map((user) => `# PUT /_security/user/${user} with the password of ${stack.paths.vaultDir}/${user}`),
      ...restartCommands(parts),
    ]
  },
  async repair({ stack }, { parts }, progress) {
    // A part that is refused goes on trying, and search slows down its name: it stops first. It read its password when it
    // started, so it must start anew in any case.
    for (const part of parts) await stack.runtime.stop(part)
    await accounts.apply(stack, progress)
    await startInOrder(stack.runtime, parts, (waiting) =>
      progress.waiting(waiting.map(({ part, statusText }) => `${part} ${statusText}`).join(', ')),
    )
  },
})

async function lookAtAll(context: DoctorContext): Promise<Look> {
  const { stack } = context
  const refused: Refused[] = []
  const unseen: string[] = []
  for (const account of serviceAccounts) {
    const { username } = account
    if (!stack.vault.has(username)) {
      unseen.push(`${username} has no secret`)
      continue
    }
    const login = await tryLogin(context, { username, password: stack.vault.read(username) })
    if (login.state === 'refused') refused.push({ account, reason: login.reason })
    else if (login.state === 'unknown') return { refused, unseen: [login.why] }
    else if (login.state === 'slowed') {
      const said = await lastWordsOf(context, account)
      if (said === undefined) unseen.push(login.reason)
      else refused.push({ account, reason: said })
    }
  }
  return { refused, unseen }
}

// Search slows down whoever fails too often. When it is the part itself that fails, its own words say why: the runtime's last ones, else
// those of a part in trouble in its journal, as there is none between two starts.
async function lastWordsOf(context: DoctorContext, { part, username }: ServiceAccount): Promise<string | undefined> {
  const { look, stack } = context
  const isRefusal = (line: string): boolean =>
    line.includes(`unable to authenticate user [${username}]`) || line.includes(`logins of user [${username}]`)
  const listing = await look.listing()
  const last = listing.state === 'answered' ? listing.parts.find((one) => one.part === part)?.lastWords : undefined
  if (last !== undefined && isRefusal(last)) return `${containerName(part)} said: ${last}`
  if (stack.runtime.kind !== 'podman') return undefined
  if (!(await partTroubles(context))?.some((trouble) => trouble.part === part)) return undefined
  const journal = await look.command(...journalArgv(part, { lines: journalLines, follow: false }))
  const said = journal?.stdout.split('\n').findLast(isRefusal)
  return said === undefined ? undefined : `${containerName(part)} said: ${said.slice(0, lineLengthMax)}`
}
