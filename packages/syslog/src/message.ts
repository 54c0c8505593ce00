/** A parsed syslog message. Absent parts are undefined; `raw` is the whole frame as text, so nothing is ever lost. */
export interface SyslogMessage {
  readonly format: 'rfc5424' | 'rfc3164' | 'unknown'
  readonly raw: string
  /** 0-23; undefined when the frame has no priority. */
  readonly facility?: number
  /** 0 (emergency) to 7 (debug); undefined when the frame has no priority. */
  readonly severity?: number
  /** As written; RFC 3164 times have neither year nor zone: see `resolveTimestamp`. */
  readonly timestamp?: string
  readonly hostname?: string
  readonly appName?: string
  readonly procId?: string
  readonly msgId?: string
  /** RFC 5424 structured data: element id → parameter → value. */
  readonly structuredData?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The message without the header. */
  readonly message: string
}

/** The keywords of facilities, each at the place of its code (RFC 5424 table 1). */
export const facilityNames = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  'ntp',
  'security',
  'console',
  'solaris-cron',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const

const severityNames = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'informational',
  'debug',
] as const

/** The keyword of a facility code (RFC 5424 table 1); undefined outside 0-23. */
export function facilityName(code: number): string | undefined {
  return facilityNames[code]
}

/** The keyword of a severity code (RFC 5424 table 2); undefined outside 0-7. */
export function severityName(code: number): string | undefined {
  return severityNames[code]
}
