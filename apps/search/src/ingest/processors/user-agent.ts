import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import { javaType } from '../ingest-document.ts'
import type { ProcessorConfig } from '../processor-config.ts'
import { readField } from '../text-processor.ts'
import { readUserAgent, type UserAgent } from '../user-agent/read-user-agent.ts'

const properties = ['name', 'version', 'os', 'device', 'original'] as const
type Property = (typeof properties)[number]

function readProperties(config: ProcessorConfig): readonly Property[] {
  const given = config.optionalTexts('properties')
  if (!given) return properties
  return given.map((name) => {
    const found = properties.find((property) => property === name.toLowerCase())
    if (found) return found
    const valid = properties.map((property) => property.toUpperCase()).join(', ')
    throw config.fault('properties', `illegal property value [${name}]. valid values are [${valid}]`)
  })
}

function shown(agent: UserAgent, property: Property, original: string, withType: boolean): unknown {
  switch (property) {
    case 'name':
      return agent.name
    case 'version':
      return agent.version
    case 'original':
      return original
    case 'device':
      return { name: agent.device, ...(withType ? { type: agent.deviceType } : {}) }
    case 'os': {
      if (!agent.system) return undefined
      const { name, version } = agent.system
      return { name, ...(version === undefined ? {} : { version, full: `${name} ${version}` }) }
    }
  }
}

/** `user_agent`: the program, the operating system and the device that a user agent names. */
export const userAgentProcessor = defineProcessor('user_agent', (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field') ?? 'user_agent'
  const file = config.optionalText('regex_file')
  // The table of agents is search's own; there is no folder of others.
  if (file !== undefined)
    throw config.fault('regex_file', `regex file [${file}] doesn't exist (has to exist at node startup)`)
  const wanted = readProperties(config)
  const withType = config.boolean('extract_device_type')
  const ignoreMissing = config.boolean('ignore_missing')
  return (document) => {
    const text = readField(document, field, ignoreMissing, 'cannot parse user-agent.')
    if (text === undefined) return
    if (typeof text !== 'string')
      throw unfit(`field [${field}] of type [${javaType(text)}] cannot be cast to [java.lang.String]`)
    const agent = readUserAgent(text)
    const told = wanted.map((property) => [property, shown(agent, property, text, withType)])
    document.set(target, Object.fromEntries(told.filter(([, value]) => value !== undefined)))
  }
})
