import type { RawEvent } from '../../documents/build-document.ts'
import type { Fields } from '../../ecs/fields.ts'
import { type MessageKind, present, type Reading } from './events/reading.ts'
import { messageKinds } from './events/registry.ts'

/** The host of a Wazuh agent, as its key and its keep-alives name it. */
export interface WazuhHost {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly version?: string
  /** ECS's `host.os`, of what its keep-alives say of the system. */
  readonly system?: Fields
}

/** Agents write no longer ones. */
const locationMax = 8_200
const other: MessageKind = { name: 'other' }

/**
 * What a message (`<queue>:<location>:<text>`) of an agent says, as an event; undefined for those that are none (questions whether its database is
 * known, the begin and the end of its scans). What cannot be read is an event all the same, whole in `message`. `timezone` is there where the
 * message's times are known to be in it, whatever the host's own.
 */
export function wazuhEvent(text: string, host: WazuhHost): Omit<RawEvent, 'collected'> | undefined {
  const { kind, location, body } = splitMessage(text)
  const reading = kind.read ? kind.read(body, location) : undefined
  if (reading === 'none') return undefined
  const { dataset, fields, timezone } = reading ?? unread(kind, body)
  fields['agent'] = present({ id: agentOf(host), name: host.name, version: host.version, type: 'wazuh' })
  fields['host'] = hostFields(host, fields['host'] as Fields | undefined)
  const zone = timezone === undefined ? {} : { timezone }
  return { type: 'logs', dataset, fields, areOwn: true, agent: agentOf(host), ...zone }
}

function agentOf(host: WazuhHost): string {
  return `wazuh-${host.id}`
}

/** What inventories say of the host itself goes over what is known of it anyway, but for its name. */
function hostFields({ name, address, system: said }: WazuhHost, own: Fields | undefined): Fields {
  const system = { ...said, ...(own?.['os'] as Fields | undefined) }
  return { ip: address, ...own, name, ...(Object.keys(system).length > 0 ? { os: system } : {}) }
}

function unread({ name }: MessageKind, body: string): Reading {
  return { dataset: `wazuh.${name}`, fields: { message: body } }
}

/** `<queue>:<location>:<text>`; colons of locations (`C:\\logs\\app.log`) come as `|:`, bars as `||`. */
function splitMessage(text: string): { kind: MessageKind; location: string; body: string } {
  const end = text[1] === ':' ? endOfLocation(text) : -1
  if (end < 0) return { kind: other, location: '', body: text }
  return {
    kind: messageKinds.get(text.charAt(0)) ?? other,
    location: text.slice(2, end).replace(/\|([:|])/g, '$1'),
    body: text.slice(end + 1),
  }
}

function endOfLocation(text: string): number {
  for (let at = 2; at < Math.min(text.length, locationMax); at += 1) {
    if (text[at] === ':') return at
    if (text[at] === '|') at += 1
  }
  return -1
}
