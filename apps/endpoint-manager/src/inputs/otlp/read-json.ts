import { z } from 'zod'
import type { Attributes, LogRecord, OtlpValue } from './log-records.ts'

const depthMax = 16
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])
const nanoseconds = z
  .union([z.string().regex(/^\d{1,20}$/), z.number().int().min(0)])
  .nullish()
  .transform((value) => BigInt(value ?? 0))
const pairSchema = z.looseObject({ key: z.string(), value: z.unknown() })
const recordSchema = z.looseObject({
  timeUnixNano: nanoseconds,
  observedTimeUnixNano: nanoseconds,
  severityNumber: z.number().nullish(),
  severityText: z.string().nullish(),
  body: z.unknown(),
  attributes: list(pairSchema),
  traceId: z.string().max(64).nullish(),
  spanId: z.string().max(64).nullish(),
})
const requestSchema = z.looseObject({
  resourceLogs: list(
    z.looseObject({
      resource: z.looseObject({ attributes: list(pairSchema) }).nullish(),
      scopeLogs: list(
        z.looseObject({
          scope: z.looseObject({ name: z.string().nullish(), version: z.string().nullish() }).nullish(),
          logRecords: list(recordSchema),
        }),
      ),
    }),
  ),
})

/** Reads `ExportLogsServiceRequest` of OTLP 1.x in its JSON form; throws for what is none. */
export function readJson(bytes: Buffer): LogRecord[] {
  const request = requestSchema.safeParse(JSON.parse(bytes.toString('utf8')))
  if (!request.success) {
    const [issue] = request.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  return request.data.resourceLogs.flatMap(({ resource, scopeLogs }) => {
    const attributes = attributesOf(resource?.attributes ?? [], 0)
    return scopeLogs.flatMap(({ scope, logRecords }) =>
      logRecords.map((record) => ({
        resource: attributes,
        scope: { name: scope?.name ?? undefined, version: scope?.version ?? undefined },
        time: record.timeUnixNano,
        observed: record.observedTimeUnixNano,
        severityNumber: record.severityNumber ?? 0,
        severityText: record.severityText ?? '',
        body: readValue(record.body, 0),
        attributes: attributesOf(record.attributes, 0),
        traceId: record.traceId ?? '',
        spanId: record.spanId ?? '',
      })),
    )
  })
}

function attributesOf(pairs: readonly { readonly key: string; readonly value?: unknown }[], depth: number): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value, depth)]))
}

function readValue(value: unknown, depth: number): OtlpValue {
  if (typeof value !== 'object' || value === null) return null
  if (depth > depthMax) throw new Error('a value is nested too deep')
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = value as Record<
    string,
    unknown
  >
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  if (intValue !== undefined) return Number(intValue)
  if (doubleValue !== undefined) return Number(doubleValue)
  if (typeof bytesValue === 'string') return bytesValue
  const { values } = (arrayValue ?? kvlistValue ?? {}) as { values?: unknown }
  if (!Array.isArray(values)) return null
  if (arrayValue !== undefined) return values.map((item: unknown) => readValue(item, depth + 1))
  const pairs = z.array(pairSchema).safeParse(values)
  return pairs.success ? attributesOf(pairs.data, depth + 1) : null
}
