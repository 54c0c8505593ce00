import { isDeepStrictEqual } from 'node:util'
import { readDecoderFiles } from '../../decoders/decoder-file.ts'
import { Decoders } from '../../decoders/decoders.ts'
import { type BuiltDocument, buildDocument } from '../../documents/build-document.ts'
import type { Fields } from '../../ecs/fields.ts'
import { systemFields } from './events/host-system.ts'
import { type WazuhHost, wazuhEvent } from './wazuh-event.ts'

const decoders = new Decoders(
  readDecoderFiles(new URL('../../../../../rules/decoders/', import.meta.url).pathname).files,
)

/** When events of tests are collected. */
export const collected = Date.parse('2026-11-28T14:00:00Z')

export const web1: WazuhHost = {
  id: '003',
  name: 'web1',
  address: '192.0.2.3',
  version: '4.14.7',
  system: systemFields(
    'Linux |web1 |6.1.0-18-amd64 |#1 SMP Debian |x86_64 [Debian GNU/Linux|debian: 12 (bookworm)] - Wazuh v4.14.7',
  ),
}

/** What search gets of a message, with the decoders that are shipped; undefined where it is no event. */
export function builtOf(text: string, host: WazuhHost = web1): BuiltDocument | undefined {
  const event = wazuhEvent(text, host)
  return event && buildDocument({ timezone: '+02:00', ...event, collected }, decoders, collected)
}

/** The document of a message that is an event. */
export function documentOf(text: string, host: WazuhHost = web1): BuiltDocument['document'] {
  const built = builtOf(text, host)
  if (!built) throw new Error(`no event: ${text.slice(0, 100)}`)
  return built.document
}

/** A message of a queue, with its object as JSON. */
export const message = (start: string, body: object): string => `${start}:${JSON.stringify(body)}`

/** What a message itself says: its event's fields without those of the agent and, where it says nothing of it, of the host. */
export function wazuhEventOf(text: string): Fields {
  const { agent: _agent, host, ...fields } = wazuhEvent(text, web1)?.fields ?? {}
  return isDeepStrictEqual(host, wazuhEvent('1:/a:b', web1)?.fields['host']) ? fields : { ...fields, host }
}
