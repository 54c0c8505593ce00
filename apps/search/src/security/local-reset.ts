import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { isAppError } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { generatePassword, seal } from '@logstack/passwords'
import { serveLocal } from '@logstack/process'
import { z } from 'zod'
import type { AuditTrail } from './audit/events.ts'
import type { Security } from './security.ts'

/** What the local socket takes: without a password a random one is set; without a handover the caller stores it itself. */
const requestSchema = z.strictObject({
  username: z.string().min(1),
  password: z.string().optional(),
  handover: z.boolean().default(true),
})

/** Where a password that was set here is left for the operator, sealed to its public key. */
export interface HandoverPlaces {
  readonly publicKeyFile: string
  readonly directory: string
}

/**
 * Serves resets of passwords without the old one on a Unix socket that only search's own user and root can open: who is there already
 * owns the data. Answers the new password, or `refused` with the reason. The operator finds it sealed in the handover folder.
 */
export function serveLocalReset(options: {
  readonly path: string
  readonly security: Pick<Security, 'user' | 'changePassword'>
  readonly places: HandoverPlaces
  readonly logger: Logger
  readonly audit?: AuditTrail
}): Promise<Server> {
  const { security, places, logger, audit } = options
  return serveLocal(options.path, async (given) => {
    try {
      const { username, password = generatePassword(), handover } = requestSchema.parse(given)
      if (!security.user(username)) return { refused: `user [${username}] does not exist` }
      // Written before the change and shown after it: what the operator finds is either in effect or was never shown.
      const left = handover ? leave(places, username, password) : undefined
      await security.changePassword(username, { password })
      left?.show()
      logger.info({ username }, 'password reset on the local socket')
      const change = { 'event.action': 'change_password', change: { password: { user: { name: username } } } }
      audit?.record('security_config_change', { 'origin.type': 'local_node', ...change })
      return { password }
    } catch (thrown) {
      if (isAppError(thrown)) return { refused: thrown.message }
      logger.error({ err: thrown }, 'a reset on the local socket failed')
      throw thrown
    }
  })
}

function leave(places: HandoverPlaces, username: string, password: string): { show(): void } | undefined {
  if (!existsSync(places.publicKeyFile)) return undefined
  mkdirSync(places.directory, { recursive: true, mode: 0o700 })
  chmodSync(places.directory, 0o700)
  const name = `${Buffer.from(username, 'utf8').toString('hex')}.json`
  const shown = join(places.directory, name)
  const hidden = join(places.directory, `.${name}`)
  rmSync(hidden, { force: true })
  const sealed = seal(JSON.stringify({ username, password }), readFileSync(places.publicKeyFile, 'utf8'))
  writeFileSync(hidden, JSON.stringify({ version: 1, sealed }), { mode: 0o600, flush: true })
  return { show: () => renameSync(hidden, shown) }
}
