import { readFile } from 'node:fs/promises'
import type { Actor } from './audit-events.ts'

type Fields = Record<string, unknown>

/**
 * The fields of a change that tell who made it. `user` is the account that logged in, `user.effective` the one in whose name it was done; where no
 * login began it (services), `user` is the process's own. Of several who may have made it the last is named, and all stand in
 * `file_integrity.writers`.
 */
export function whoFields(actors: readonly Actor[], nameOf: (id: string) => string | undefined): Fields {
  const last = actors.at(-1)
  if (!last) return {}
  return {
    ...actorFields(last, nameOf),
    ...(actors.length > 1 ? { file_integrity: { writers: actors.map((actor) => actorFields(actor, nameOf)) } } : {}),
  }
}

function actorFields(actor: Actor, nameOf: (id: string) => string | undefined): Fields {
  const account = (id: string | undefined): Fields =>
    id === undefined ? {} : withoutAbsent({ id, name: actor.names.get(id) ?? nameOf(id) })
  const effective = account(actor.effectiveId)
  return {
    user: { ...account(actor.loginId ?? actor.realId), ...(actor.effectiveId === undefined ? {} : { effective }) },
    process: {
      pid: actor.pid,
      ...withoutAbsent({
        name: actor.name,
        executable: actor.executable,
        command_line: actor.commandLine,
        parent: actor.parentPid === undefined ? undefined : { pid: actor.parentPid },
      }),
    },
  }
}

function withoutAbsent(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The names of this host's own accounts, by id. */
export async function localAccounts(): Promise<Map<string, string>> {
  const accounts = new Map<string, string>()
  for (const line of (await readFile('/etc/passwd', 'utf8')).split('\n')) {
    const [name, , id] = line.split(':')
    if (name && id && !accounts.has(id)) accounts.set(id, name)
  }
  return accounts
}
