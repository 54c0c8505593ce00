import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import { type PartEnvironment, readSecret } from '@logstack/part'
import type { SearchClient } from '@logstack/search-client'
import type { LiveSettings } from '@logstack/settings'
import type { AlerterTable } from '../settings.ts'
import type { ChannelContext } from './define-channel.ts'

/** What channels may use in the alerter's own environment; files are found from the folder above the rules. */
export function channelSurroundings(of: {
  readonly settings: LiveSettings<AlerterTable>
  readonly environment: PartEnvironment
  readonly client: SearchClient
  readonly rulesDir: string
}): Omit<ChannelContext, 'logger' | 'signal'> {
  const { settings, environment, client, rulesDir } = of
  const failed = (what: string, cause: unknown): AppError =>
    new AppError(alerterErrors.notify_failed, `${what}: ${messageOf(cause)}`, { cause })
  return {
    webhookUrl: settings.get('webhook_url'),
    timeoutMs: settings.get('channel_timeout_ms'),
    readFile: (path) => {
      try {
        return readFileSync(isAbsolute(path) ? path : resolve(dirname(rulesDir), path), 'utf8')
      } catch (cause) {
        throw failed(`cannot read ${path}`, cause)
      }
    },
    readSecret: (name) => {
      // Any other is a password of the stack's own, which no rule may send anywhere.
      if (!name.startsWith('alerter.')) throw failed(`secret:${name}`, 'secrets of channels are named alerter.NAME')
      try {
        return readSecret(environment, name)
      } catch (cause) {
        throw failed(`the secret ${name} is not there, keep it with logstack vault set ${name}`, cause)
      }
    },
    writeDocument: async (index, id, document) => {
      const path = `/${encodeURIComponent(index)}/_create/${encodeURIComponent(id)}`
      await client.request({ method: 'PUT', path, body: document, accept: [409] })
    },
  }
}
