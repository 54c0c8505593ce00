/** A value of OpenTelemetry: text, number, truth value, list or map. */
export type OtlpValue = string | number | boolean | null | readonly OtlpValue[] | { readonly [key: string]: OtlpValue }

export type Attributes = Readonly<Record<string, OtlpValue>>

/** One log record with what stands around it, whatever form it came in. */
export interface LogRecord {
  readonly resource: Attributes
  readonly scope: { readonly name?: string | undefined; readonly version?: string | undefined }
  /** Nanoseconds since 1970; 0 is unknown. */
  readonly time: bigint
  readonly observed: bigint
  readonly severityNumber: number
  readonly severityText: string
  readonly body: OtlpValue
  readonly attributes: Attributes
  /** Hexadecimal; empty when unknown. */
  readonly traceId: string
  readonly spanId: string
}
