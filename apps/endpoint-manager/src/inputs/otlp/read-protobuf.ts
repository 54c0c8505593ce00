import type { Attributes, LogRecord, OtlpValue } from './log-records.ts'
import { wireFields } from './wire.ts'

const depthMax = 16

/** Reads `ExportLogsServiceRequest` of OTLP 1.x as protobuf (opentelemetry/proto/logs/v1/logs.proto); throws for what is none. */
export function readProtobuf(bytes: Buffer): LogRecord[] {
  const records: LogRecord[] = []
  for (const resourceLogs of messages(bytes, 1)) {
    const [resource] = messages(resourceLogs, 1)
    const attributes = resource ? attributesOf(messages(resource, 1)) : {}
    for (const scopeLogs of messages(resourceLogs, 2)) {
      const [scope] = messages(scopeLogs, 1)
      const origin = scope ? { name: textOf(scope, 1), version: textOf(scope, 2) } : {}
      for (const record of messages(scopeLogs, 2))
        records.push({ resource: attributes, scope: origin, ...readRecord(record) })
    }
  }
  return records
}

function readRecord(bytes: Buffer): Omit<LogRecord, 'resource' | 'scope'> {
  const [body] = messages(bytes, 5)
  return {
    time: fixed64(bytes, 1),
    observed: fixed64(bytes, 11),
    severityNumber: numberOf(bytes, 2),
    severityText: textOf(bytes, 3) ?? '',
    body: body ? valueOfBytes(body, 0) : null,
    attributes: attributesOf(messages(bytes, 6)),
    traceId: messages(bytes, 9)[0]?.toString('hex') ?? '',
    spanId: messages(bytes, 10)[0]?.toString('hex') ?? '',
  }
}

function messages(bytes: Buffer, number: number): Buffer[] {
  const found: Buffer[] = []
  for (const field of wireFields(bytes))
    if (field.number === number && Buffer.isBuffer(field.value)) found.push(field.value)
  return found
}

function textOf(bytes: Buffer, number: number): string | undefined {
  return messages(bytes, number).at(-1)?.toString('utf8')
}

function fixed64(bytes: Buffer, number: number): bigint {
  const value = messages(bytes, number).at(-1)
  return value?.length === 8 ? value.readBigUInt64LE(0) : 0n
}

function numberOf(bytes: Buffer, number: number): number {
  for (const field of wireFields(bytes))
    if (field.number === number && typeof field.value === 'bigint') return Number(field.value)
  return 0
}

function attributesOf(pairs: readonly Buffer[], depth = 0): Attributes {
  const entries = pairs.map((pair): [string, OtlpValue] => {
    const [value] = messages(pair, 2)
    return [textOf(pair, 1) ?? '', value ? valueOfBytes(value, depth) : null]
  })
  return Object.fromEntries(entries.filter(([name]) => name !== ''))
}

function valueOfBytes(bytes: Buffer, depth: number): OtlpValue {
  if (depth > depthMax) throw new Error('a value is nested too deep')
  for (const { number, value } of wireFields(bytes)) {
    if (typeof value === 'bigint') return number === 2 ? value !== 0n : Number(BigInt.asIntN(64, value))
    if (number === 1) return value.toString('utf8')
    if (number === 4 && value.length === 8) return value.readDoubleLE(0)
    if (number === 5) return messages(value, 1).map((item) => valueOfBytes(item, depth + 1))
    if (number === 6) return attributesOf(messages(value, 1), depth + 1)
    if (number === 7) return value.toString('base64')
  }
  return null
}
