import { type RuleProblem, readYamlMaps, type SigmaLevel } from '@logstack/rules'
import { meantHint } from '@logstack/spelling'
import { z } from 'zod'
import { channels } from '../channels/registry.ts'
import { durationSchema } from '../rule-values/duration.ts'
import type { RuleChannel } from './rule.ts'
import { ruleShape } from './rule-schema.ts'
import { unknownName } from './unknown-name.ts'

const sigmaSchema = z.strictObject({
  alert: ruleShape.alert.optional(),
  min_level: z.enum(['informational', 'low', 'medium', 'high', 'critical']).default('low'),
  realert: durationSchema.default(0),
})

/** Keys of rules for which a file may give all rules a value. */
const commonKeys = [
  'buffer_time',
  'run_every',
  'query_delay',
  'realert',
  'alert',
  'max_query_size',
  'alert_missing_value',
] as const

/** Whether a file holds blank lines and comments only. */
export function saysNothing(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || line.trim().startsWith('#'))
}

/** What all Sigma rules have in common, as they name no channels themselves. */
export interface SigmaDefaults {
  readonly channels: readonly RuleChannel[]
  /** Rules below this level raise no alerts; they still feed correlations. */
  readonly levelMin: SigmaLevel
  readonly realertMs: number
}

/** What `channels.yml` says: values for keys that rules do not give, and how Sigma rules are told. */
export interface ChannelsFile {
  readonly defaults: Readonly<Record<string, unknown>>
  readonly sigma: SigmaDefaults
}

/** Without the file: no values, and Sigma's alerts are only shown. */
export const noChannelsFile: ChannelsFile = { defaults: {}, sigma: { channels: [], levelMin: 'low', realertMs: 0 } }

/** Reads the file that holds what channels share, such as the mail server. Never throws for what the text holds. */
export function readChannelsFile(text: string): { readonly file: ChannelsFile } | { readonly problem: RuleProblem } {
  const maps = readYamlMaps(text)
  if ('problem' in maps) return saysNothing(text) ? { file: noChannelsFile } : maps
  const [map] = maps
  if (!map) return { file: noChannelsFile }
  const { sigma: given = {}, ...defaults } = map.value
  const options = Object.assign({}, ...[...channels.values()].map((channel) => channel.options)) as Record<
    string,
    z.ZodType
  >
  for (const [key, value] of Object.entries(defaults)) {
    const common = commonKeys.find((known) => known === key)
    const schema = Object.hasOwn(options, key) ? options[key] : common && ruleShape[common]
    if (!schema)
      return {
        problem: map.problemAt(
          [key],
          `unknown key [${key}]${meantHint(key, [...Object.keys(options), ...commonKeys, 'sigma'])}`,
        ),
      }
    const parsed = schema.safeParse(value)
    if (!parsed.success) return { problem: map.problemAt([key], `[${key}]: ${parsed.error.issues[0]?.message}`) }
  }
  const sigma = sigmaSchema.safeParse(given)
  if (!sigma.success) {
    const issue = sigma.error.issues[0]
    const path = ['sigma', ...(issue?.path ?? [])]
    return { problem: map.problemAt(path, `[${path.join('.')}]: ${issue?.message}`) }
  }
  const found = sigmaChannels(sigma.data.alert ?? [], defaults)
  if ('problem' in found) return { problem: map.problemAt(['sigma', 'alert'], found.problem) }
  const { min_level: levelMin, realert: realertMs } = sigma.data
  return { file: { defaults, sigma: { channels: found.channels, levelMin, realertMs } } }
}

function sigmaChannels(
  named: readonly { readonly name: string; readonly overrides: Readonly<Record<string, unknown>> }[],
  defaults: Readonly<Record<string, unknown>>,
): { readonly channels: RuleChannel[] } | { readonly problem: string } {
  const found: RuleChannel[] = []
  for (const { name, overrides } of named) {
    const channel = channels.get(name)
    if (!channel) return { problem: unknownName('channel', name, channels.keys()) }
    const own = Object.fromEntries(Object.keys(channel.options).map((key) => [key, defaults[key]]))
    const parsed = z.strictObject(channel.options).safeParse({ ...own, ...overrides })
    if (!parsed.success)
      return { problem: `${name}: [${parsed.error.issues[0]?.path.join('.')}]: ${parsed.error.issues[0]?.message}` }
    const same = found.filter((other) => other.channel === channel).length
    found.push({ name: same === 0 ? name : `${name}:${same + 1}`, channel, options: parsed.data })
  }
  return { channels: found }
}
