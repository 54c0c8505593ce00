import type { Channel } from '../channels/define-channel.ts'
import { channels } from '../channels/registry.ts'

type Values = Readonly<Record<string, unknown>>

/** Why a rule file that came through the dashboard may not do what a file on the host may; undefined when it does no such thing. */
export function notFromPeople(given: Values): string | undefined {
  const text = JSON.stringify(given, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  const named = [given['alert']]
    .flat()
    .flatMap((entry) => (typeof entry === 'object' && entry ? Object.keys(entry) : entry))
  // Whoever may write a rule in search is not therefore somebody on the host. The channel may also be the one of `channels.yml`.
  if (named.includes('command') || Object.hasOwn(given, 'command'))
    return 'the channel command runs programs, so it is for rule files on the host only'
  const file = fileOptions().find((key) => text.includes(`"${key}"`))
  if (file !== undefined) return `[${file}] reads a file of the host: give it in rules/channels.yml`
  return text.includes('"secret:') ? 'secrets are given in rules/channels.yml, for all rules' : undefined
}

function fileOptions(): string[] {
  return [...channels.values()].flatMap(({ options }) => Object.keys(options).filter((key) => key.endsWith('_file')))
}

/**
 * The options of a channel of such a rule: where it names another server than `channels.yml` (`defaults`), what the latter says for its own server only, such
 * as a password, is left out, or whoever writes a rule could have it sent to themselves.
 */
export function withoutOthersSecrets(
  { server }: Pick<Channel, 'server'>,
  options: Values,
  { given, defaults }: { readonly given: Values; readonly defaults: Values },
): Values {
  const isElsewhere = server?.addresses.some(
    (key) => Object.hasOwn(given, key) && JSON.stringify(given[key]) !== JSON.stringify(defaults[key]),
  )
  if (!isElsewhere) return options
  const kept = ([key]: [string, unknown]): boolean => !server?.secrets.includes(key) || Object.hasOwn(given, key)
  return Object.fromEntries(Object.entries(options).filter(kept))
}
