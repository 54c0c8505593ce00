import { ecsVersion } from '@logstack/ecs'
import { facilityName, parseSyslog, resolveTimestamp, type SyslogMessage, severityName } from '@logstack/syslog'
import type { Decoded, Decoders } from '../decoders/decoders.ts'
import { type Fields, getField, mergeFields, setField } from './fields.ts'

/** An event as an input hands it over. */
export interface RawEvent {
  readonly type: 'logs' | 'metrics'
  /** The dataset it belongs to unless a decoder knows better. */
  readonly dataset: string
  /** Nested fields as the source knows them; `message` holds the raw text of a log. */
  readonly fields: Fields
  /** Milliseconds since 1970 when it was collected. */
  readonly collected: number
  /** The syslog message in `fields.message`, where the input parsed it already. */
  readonly syslog?: SyslogMessage
  /** Zone of times that do not say theirs. */
  readonly timezone?: string | undefined
}

/** A finished document and where it goes. */
export interface BuiltDocument {
  readonly index: string
  readonly document: Fields
  /** The decoder that took it, if any did. */
  readonly decoded?: Decoded | undefined
}

const namespace = 'default'
const relatedIps = ['source.ip', 'destination.ip', 'client.ip', 'server.ip']
const relatedUsers = ['user.name', 'user.effective.name', 'user.target.name', 'source.user.name']

/** Turns a raw event into an ECS document: syslog header, decoders, normalised fields. Every event gives a document; nothing is dropped. */
export function buildDocument(raw: RawEvent, decoders: Decoders, now: number): BuiltDocument {
  const document: Fields = {}
  mergeFields(document, raw.fields)
  let dataset = raw.dataset
  let decoded: Decoded | undefined
  if (raw.type === 'logs' && typeof document['message'] === 'string') {
    const text = document['message']
    const syslog = raw.syslog ?? headerOf(document, text, raw)
    if (syslog) describeSyslog(document, syslog, raw)
    const program = getField(document, 'log.syslog.appname')
    const message = typeof document['message'] === 'string' ? document['message'] : text
    const path = getField(document, 'log.file.path')
    const source = { program: textOf(program), dataset: raw.dataset, path: textOf(path) }
    decoded = decoders.decode(source, message, document, { now: raw.collected, timezone: raw.timezone })
    if (decoded) {
      dataset = decoded.dataset ?? dataset
      setField(document, 'event.module', decoded.module)
      // A decoder may say it in a sentence; what came is kept all the same.
      if (document['message'] !== message && getField(document, 'event.original') === undefined) {
        setField(document, 'event.original', message)
      }
    } else if (syslog?.format === 'unknown' || decoders.knows(source)) addTag(document, 'unparsed')
  }
  finish(document, { raw, dataset, now })
  return { index: `${raw.type}-${dataset}-${namespace}`, document, decoded }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Reads the header of a line of a log file; the journal's entries have theirs as fields. */
function headerOf(document: Fields, text: string, raw: RawEvent): SyslogMessage | undefined {
  if (getField(document, 'log.syslog.appname') !== undefined) return undefined
  const parsed = parseSyslog(text)
  if (parsed.timestamp === undefined) return undefined
  if (parsed.appName !== undefined) return parsed
  // No syslog, but a line that begins with its time all the same (dpkg.log and many others).
  takeTime(document, parsed.timestamp, raw)
  return undefined
}

function takeTime(document: Fields, text: string, raw: RawEvent): void {
  const time = resolveTimestamp(text, { now: raw.collected, timezone: raw.timezone })
  if (time !== undefined) document['@timestamp'] = time
}

function describeSyslog(document: Fields, syslog: SyslogMessage, raw: RawEvent): void {
  const { facility, severity, timestamp, structuredData } = syslog
  if (timestamp !== undefined) takeTime(document, timestamp, raw)
  if (syslog.message !== syslog.raw) {
    setField(document, 'event.original', syslog.raw)
    document['message'] = syslog.message
  }
  const set = (field: string, value: unknown): void => {
    if (value !== undefined) setField(document, field, value)
  }
  set('log.syslog.hostname', syslog.hostname)
  set('log.syslog.appname', syslog.appName)
  set('log.syslog.procid', syslog.procId)
  set('log.syslog.msgid', syslog.msgId)
  set('process.name', syslog.appName)
  set('process.pid', syslog.procId)
  if (facility !== undefined && severity !== undefined) {
    set('log.syslog.facility', { code: facility, name: facilityName(facility) })
    set('log.syslog.severity', { code: severity, name: severityName(severity) })
    set('log.syslog.priority', facility * 8 + severity)
    set('log.level', severityName(severity))
  }
  if (structuredData) set('log.syslog.structured_data', { ...structuredData })
}

function finish(document: Fields, { raw, dataset, now }: { raw: RawEvent; dataset: string; now: number }): void {
  const time = document['@timestamp']
  if (typeof time !== 'string' || Number.isNaN(Date.parse(time))) {
    document['@timestamp'] = new Date(raw.collected).toISOString()
  }
  document['ecs'] = { version: ecsVersion }
  document['data_stream'] = { type: raw.type, dataset, namespace }
  if (getField(document, 'event.module') === undefined) setField(document, 'event.module', dataset.split('.')[0])
  setField(document, 'event.dataset', dataset)
  if (getField(document, 'event.kind') === undefined) {
    setField(document, 'event.kind', raw.type === 'metrics' ? 'metric' : 'event')
  }
  const severity = getField(document, 'log.syslog.severity.code')
  if (typeof severity === 'number' && getField(document, 'log.level') === undefined) {
    setField(document, 'log.level', severityName(severity))
  }
  setField(document, 'event.ingested', new Date(now).toISOString())
  collectRelated(document, 'related.ip', relatedIps)
  collectRelated(document, 'related.user', relatedUsers)
}

function collectRelated(document: Fields, field: string, from: readonly string[]): void {
  const values: string[] = []
  for (const name of from) {
    const value = getField(document, name)
    if (typeof value === 'string' && !values.includes(value)) values.push(value)
  }
  if (values.length > 0) setField(document, field, values)
}

function addTag(document: Fields, tag: string): void {
  const tags = document['tags']
  document['tags'] = [...(Array.isArray(tags) ? tags : []), tag]
}
