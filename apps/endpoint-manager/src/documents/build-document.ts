import { ecsVersion } from '@logstack/ecs'
import { facilityName, parseSyslog, resolveTimestamp, type SyslogMessage, severityName } from '@logstack/syslog'
import type { Decoded } from '../decoders/compile-decoder.ts'
import type { Decoders } from '../decoders/decoders.ts'
import { isoTime, readTime } from '../ecs/event-times.ts'
import { type Fields, getField, isFields, mergeFields, setField } from '../ecs/fields.ts'

/** An event as an input hands it over. */
export interface RawEvent {
  readonly type: 'logs' | 'metrics'
  /** The dataset it belongs to unless a decoder knows better. */
  readonly dataset: string
  /** Nested fields as the source knows them; `message` holds the raw text of a log. */
  readonly fields: Fields
  /** Whether the fields were made for this document alone, by this program: they become the document. */
  readonly areOwn?: boolean
  /** Milliseconds since 1970 when it was collected. */
  readonly collected: number
  /** The syslog message in `fields.message`, where the input parsed it already. */
  readonly syslog?: SyslogMessage
  /** Zone of times that do not say theirs. */
  readonly timezone?: string | undefined
  /** The agent that proved that it sent this event, which may change the inventory of its own host. */
  readonly agent?: string
}

/** A finished document and where it goes. */
export interface BuiltDocument {
  /** The agent of the raw event. */
  readonly agent: string | undefined
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
  const document: Fields = raw.areOwn ? raw.fields : {}
  if (!raw.areOwn) mergeFields(document, raw.fields)
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
  return { agent: raw.agent, index: `${raw.type}-${dataset}-${namespace}`, document, decoded }
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
  const { facility, severity, timestamp } = syslog
  if (timestamp !== undefined) takeTime(document, timestamp, raw)
  if (syslog.message !== syslog.raw) {
    setField(document, 'event.original', syslog.raw)
    document['message'] = syslog.message
  }
  const log = fieldsIn(document, 'log')
  const present = log && fieldsIn(log, 'syslog')
  if (present) describeHeader(present, syslog)
  if (syslog.appName !== undefined) setField(document, 'process.name', syslog.appName)
  if (syslog.procId !== undefined) setField(document, 'process.pid', syslog.procId)
  if (log && facility !== undefined && severity !== undefined) log['level'] = severityName(severity)
}

/** Sets the members of `log.syslog`, each by its name: field after field by its path would cost more than reading the message. */
function describeHeader(fields: Fields, syslog: SyslogMessage): void {
  const { facility, severity, structuredData } = syslog
  if (syslog.hostname !== undefined) fields['hostname'] = syslog.hostname
  if (syslog.appName !== undefined) fields['appname'] = syslog.appName
  if (syslog.procId !== undefined) fields['procid'] = syslog.procId
  if (syslog.msgId !== undefined) fields['msgid'] = syslog.msgId
  if (facility !== undefined && severity !== undefined) {
    fields['facility'] = { code: facility, name: facilityName(facility) }
    fields['severity'] = { code: severity, name: severityName(severity) }
    fields['priority'] = facility * 8 + severity
  }
  if (structuredData) fields['structured_data'] = { ...structuredData }
}

/** The object under a name, made where nothing stands; undefined where something else does. */
function fieldsIn(fields: Fields, name: string): Fields | undefined {
  fields[name] ??= {}
  const present = fields[name]
  return isFields(present) ? present : undefined
}

function finish(document: Fields, { raw, dataset, now }: { raw: RawEvent; dataset: string; now: number }): void {
  const time = document['@timestamp']
  if (typeof time !== 'string' || Number.isNaN(readTime(time))) document['@timestamp'] = isoTime(raw.collected)
  document['ecs'] = { version: ecsVersion }
  document['data_stream'] = { type: raw.type, dataset, namespace }
  const event = fieldsIn(document, 'event')
  if (event) {
    event['module'] ??= dataset.split('.', 1)[0]
    event['dataset'] = dataset
    event['kind'] ??= raw.type === 'metrics' ? 'metric' : 'event'
    event['ingested'] = isoTime(now)
  }
  if (getField(document, 'log.level') === undefined) {
    const severity = getField(document, 'log.syslog.severity.code')
    if (typeof severity === 'number') setField(document, 'log.level', severityName(severity))
  }
  collectRelated(document, 'related.ip', relatedIps)
  collectRelated(document, 'related.user', relatedUsers)
}

function collectRelated(document: Fields, field: string, from: readonly string[]): void {
  let values: string[] | undefined
  for (const name of from) {
    const value = getField(document, name)
    if (typeof value !== 'string' || values?.includes(value)) continue
    // Not an empty list that is pushed to, which has room for many more.
    if (values) values.push(value)
    else values = [value]
  }
  if (values) setField(document, field, values)
}

function addTag(document: Fields, tag: string): void {
  const tags = document['tags']
  document['tags'] = [...(Array.isArray(tags) ? tags : []), tag]
}
