import { messageOf as errorMessageOf } from '@logstack/errors'
import { z } from 'zod'
import { alertOf } from '../alerts/alert-document.ts'
import { messageOf } from '../alerts/message.ts'
import type { ChannelContext } from '../channels/define-channel.ts'
import { channels } from '../channels/registry.ts'
import { readRule } from '../rule-files/read-rule.ts'
import { type RulePlaces, RulesReader } from '../rule-files/rules-folder.ts'
import { unknownName } from '../rule-files/unknown-name.ts'

/** What a channel said to a test alert, or why it was not sent. */
export interface SentTest {
  readonly ok: boolean
  readonly said: string
}

/** Sends one test alert through the channel (JSON `{channel}`) with the options of `channels.yml`. */
export async function sendTest(
  input: string,
  context: ChannelContext,
  places: RulePlaces,
  now: number,
): Promise<SentTest> {
  const { channel: name } = z.object({ channel: z.string() }).parse(JSON.parse(input))
  if (!channels.has(name)) return { ok: false, said: unknownName('channel', name, channels.keys()) }
  const { channels: file, broken } = await new RulesReader(places).read()
  const bad = broken.find((problem) => problem.file === places.channels)
  if (bad) return { ok: false, said: `${bad.file}:${bad.line}:${bad.column}: ${bad.message}` }
  const text = `name: Test alert of logstack\ntype: any\nindex: none\nalert: ${name}\n`
  const read = readRule('test-alert', text, { defaults: file.defaults })
  if (read.kind !== 'rule') {
    const why = read.kind === 'broken' ? read.problem.message : 'it is switched off'
    return { ok: false, said: `${why}; give what ${name} needs in ${places.channels}` }
  }
  const [channel] = read.rule.channels
  const off = channel?.channel.off(channel.options, context)
  if (!channel || off !== undefined) return { ok: false, said: off ?? 'no channel' }
  const match = { time: now, key: '', marks: [], count: 0, reason: 'This is a test, nothing happened' }
  const alert = alertOf(read.rule, match, {
    now,
    webhookUrl: context.webhookUrl,
    found: {},
    aggregate: undefined,
    silenced: undefined,
  })
  try {
    return {
      ok: true,
      said: await channel.channel.send(messageOf(alert.id, [alert], read.rule.text), channel.options, context),
    }
  } catch (thrown) {
    return { ok: false, said: errorMessageOf(thrown) }
  }
}
