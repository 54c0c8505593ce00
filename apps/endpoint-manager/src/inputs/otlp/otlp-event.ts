import { fieldTypeOf } from '@logstack/ecs'
import type { RawEvent } from '../../documents/build-document.ts'
import { type Fields, setField } from '../../ecs/fields.ts'
import type { Attributes, LogRecord, OtlpValue } from './log-records.ts'

/** OpenTelemetry's names of what ECS calls otherwise. */
const renamed: Readonly<Record<string, string>> = {
  'exception.message': 'error.message',
  'exception.type': 'error.type',
  'exception.stacktrace': 'error.stack_trace',
  'client.address': 'client.address',
  'http.method': 'http.request.method',
  'http.status_code': 'http.response.status_code',
  'code.function': 'log.origin.function',
  'code.filepath': 'log.origin.file.name',
  'code.lineno': 'log.origin.file.line',
  'enduser.id': 'user.name',
  'process.executable.path': 'process.executable',
  'log.file.path': 'log.file.path',
}
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
const reserved = /^(?:@timestamp|message|event|ecs|data_stream|agent|related)(?:\.|$)/

/** A log record as an event: attributes that ECS knows become its fields, all others stand under `otel.attributes` and `otel.resource`. */
export function otlpEvent(record: LogRecord, sender: string): Omit<RawEvent, 'collected'> {
  const fields: Fields = { message: typeof record.body === 'string' ? record.body : JSON.stringify(record.body ?? '') }
  setAttributes(fields, record.resource, 'otel.resource')
  setAttributes(fields, record.attributes, 'otel.attributes')
  const nanoseconds = record.time === 0n ? record.observed : record.time
  const time = new Date(Number(nanoseconds / 1_000_000n))
  if (nanoseconds > 0n && !Number.isNaN(time.getTime())) fields['@timestamp'] = time.toISOString()
  const level = record.severityText.toLowerCase() || levels[Math.floor((record.severityNumber - 1) / 4)]
  if (level !== undefined) setField(fields, 'log.level', level)
  if (record.severityNumber > 0) setField(fields, 'event.severity', record.severityNumber)
  if (record.traceId !== '') setField(fields, 'trace.id', record.traceId)
  if (record.spanId !== '') setField(fields, 'span.id', record.spanId)
  if (record.scope.name) setField(fields, 'log.logger', record.scope.name)
  setField(fields, 'log.source.address', sender.replace(/^::ffff:/, ''))
  return { type: 'logs', dataset: 'otlp', fields }
}

function setAttributes(fields: Fields, attributes: Attributes, rest: string): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || !/^[\w.@/-]{1,256}$/.test(name)) continue
    const field = Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name
    const isKnown = !reserved.test(field) && fieldTypeOf(field) !== undefined
    if (isKnown && setField(fields, field, value)) continue
    // Dots would nest: `a` and `a.b` may both be attributes.
    setField(fields, `${rest}.${name.replace(/[^\w]/g, '_')}`, plain(value))
  }
}

function plain(value: OtlpValue): unknown {
  if (Array.isArray(value))
    return value.map((item: OtlpValue) => (typeof item === 'object' ? JSON.stringify(item) : item))
  return typeof value === 'object' ? JSON.stringify(value) : value
}
