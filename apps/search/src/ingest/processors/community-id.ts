import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'
import type { IngestDocument } from '../ingest-document.ts'
import type { ProcessorConfig } from '../processor-config.ts'

/** IANA numbers of the transports whose flows have an id. */
const transports: Readonly<Record<string, number>> = {
  icmp: 1,
  igmp: 2,
  tcp: 6,
  udp: 17,
  gre: 47,
  'icmp-v6': 58,
  'ipv6-icmp': 58,
  icmpv6: 58,
  eigrp: 88,
  ospf: 89,
  pim: 103,
  sctp: 132,
}

/** The answer to each kind of ICMP message that has one: they are one flow. */
const answersOf: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  1: { 0: 8, 8: 0, 9: 10, 10: 9, 13: 14, 14: 13, 15: 16, 16: 15, 17: 18, 18: 17 },
  58: {
    128: 129,
    129: 128,
    130: 131,
    131: 130,
    133: 134,
    134: 133,
    135: 136,
    136: 135,
    139: 140,
    140: 139,
    144: 145,
    145: 144,
  },
}

interface Flow {
  readonly source: Buffer
  readonly destination: Buffer
  readonly protocol: number
  readonly sourcePort: number
  readonly destinationPort: number
  /** Whether both directions have the same id. */
  readonly twoWay: boolean
}

/** Bytes of an address in network order. Throws when the text is none. */
function addressBytes(text: string): Buffer {
  const kind = isIP(text)
  if (kind === 0) throw unfit(`'${text}' is not an IP string literal.`)
  if (kind === 4) return Buffer.from(text.split('.').map(Number))
  const [head = '', tail] = text
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) => {
      const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number]
      return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
    })
    .split('::')
  const groups = (part: string | undefined): string[] => (part ? part.split(':') : [])
  const left = groups(head)
  const right = groups(tail)
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const bytes = Buffer.alloc(16)
  for (const [at, group] of [...left, ...middle, ...right].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2)
  return bytes
}

/** The Community ID of version 1 (https://github.com/corelight/community-id-spec): the same for both directions of a flow. */
function communityId(flow: Flow, seed: number): string {
  const order = Buffer.compare(flow.source, flow.destination) || flow.sourcePort - flow.destinationPort
  const turned = flow.twoWay && order > 0
  const head = Buffer.alloc(2)
  head.writeUInt16BE(seed)
  const ports = Buffer.alloc(4)
  ports.writeUInt16BE(turned ? flow.destinationPort : flow.sourcePort, 0)
  ports.writeUInt16BE(turned ? flow.sourcePort : flow.destinationPort, 2)
  const ends = turned ? [flow.destination, flow.source] : [flow.source, flow.destination]
  const hash = createHash('sha1').update(head)
  for (const end of ends) hash.update(end)
  return `1:${hash
    .update(Buffer.from([flow.protocol, 0]))
    .update(ports)
    .digest('base64')}`
}

interface Fields {
  readonly sourceIp: string
  readonly destinationIp: string
  readonly sourcePort: string
  readonly destinationPort: string
  readonly ianaNumber: string
  readonly transport: string
  readonly icmpType: string
  readonly icmpCode: string
  readonly target: string
  readonly ignoreMissing: boolean
}

/** The fields a processor reads: under Elasticsearch's option names with ECS fields as their defaults, or under OpenSearch's (`source_ip_field`). */
function readFields(config: ProcessorConfig): Fields {
  const sourceIpField = config.optionalText('source_ip_field')
  if (sourceIpField !== undefined) {
    return {
      sourceIp: sourceIpField,
      destinationIp: config.text('destination_ip_field'),
      sourcePort: config.optionalText('source_port_field') ?? '',
      destinationPort: config.optionalText('destination_port_field') ?? '',
      ianaNumber: config.optionalText('iana_protocol_number_field') ?? '',
      transport: config.optionalText('protocol_field') ?? '',
      icmpType: config.optionalText('icmp_type_field') ?? '',
      icmpCode: config.optionalText('icmp_code_field') ?? '',
      target: config.optionalText('target_field') ?? 'community_id',
      ignoreMissing: config.boolean('ignore_missing'),
    }
  }
  return {
    sourceIp: config.optionalText('source_ip') ?? 'source.ip',
    destinationIp: config.optionalText('destination_ip') ?? 'destination.ip',
    sourcePort: config.optionalText('source_port') ?? 'source.port',
    destinationPort: config.optionalText('destination_port') ?? 'destination.port',
    ianaNumber: config.optionalText('iana_number') ?? 'network.iana_number',
    transport: config.optionalText('transport') ?? 'network.transport',
    icmpType: config.optionalText('icmp_type') ?? 'icmp.type',
    icmpCode: config.optionalText('icmp_code') ?? 'icmp.code',
    target: config.optionalText('target_field') ?? 'network.community_id',
    ignoreMissing: config.boolean('ignore_missing', true),
  }
}

/** A value that the flow needs and the document lacks. */
class Missing extends Error {}

function textOf(document: IngestDocument, path: string): string | undefined {
  const value = path === '' ? undefined : document.find(path)
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

function required(document: IngestDocument, path: string, what: string): string {
  const text = textOf(document, path)
  if (text === undefined) throw new Missing(`${what} in the field [${path}] is null or empty`)
  return text
}

function number(text: string, what: string, max: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0 && value <= max) return value
  throw unfit(`${what} [${text}] is invalid`)
}

function protocolOf(document: IngestDocument, { ianaNumber, transport }: Fields): number {
  const given = textOf(document, ianaNumber)
  if (given !== undefined) return number(given, 'iana protocol number', 255)
  const name = required(document, transport, 'protocol').toLowerCase()
  const known = transports[name]
  if (known !== undefined) return known
  if (/^\d+$/.test(name)) return number(name, 'protocol', 255)
  throw unfit(`unsupported protocol [${name}]`)
}

const withPorts = new Set([6, 17, 132])

function flowOf(document: IngestDocument, fields: Fields): Flow {
  const source = addressBytes(required(document, fields.sourceIp, 'ip address'))
  const destination = addressBytes(required(document, fields.destinationIp, 'ip address'))
  const protocol = protocolOf(document, fields)
  const ends = { source, destination, protocol }
  if (withPorts.has(protocol)) {
    const port = (path: string): number => number(required(document, path, 'port'), 'port', 65_535)
    const [sourcePort, destinationPort] = [port(fields.sourcePort), port(fields.destinationPort)]
    return { ...ends, sourcePort, destinationPort, twoWay: true }
  }
  const answers = answersOf[protocol]
  if (!answers) return { ...ends, sourcePort: 0, destinationPort: 0, twoWay: true }
  const type = number(required(document, fields.icmpType, 'icmp message type'), 'icmp message type', 255)
  const answer = answers[type]
  if (answer !== undefined) return { ...ends, sourcePort: type, destinationPort: answer, twoWay: true }
  const code = number(textOf(document, fields.icmpCode) ?? '0', 'icmp message code', 255)
  return { ...ends, sourcePort: type, destinationPort: code, twoWay: false }
}

/** `community_id`: an id of a network flow that other tools compute alike. */
export const communityIdProcessor = defineProcessor('community_id', (config) => {
  const fields = readFields(config)
  const seed = config.integer('seed') ?? 0
  if (seed < 0 || seed > 65_535) throw config.fault('seed', 'must be a value between 0 and 65535')
  return (document) => {
    try {
      document.set(fields.target, communityId(flowOf(document, fields), seed))
    } catch (thrown) {
      if (!(thrown instanceof Missing)) throw thrown
      if (!fields.ignoreMissing) throw unfit(thrown.message)
    }
  }
})
