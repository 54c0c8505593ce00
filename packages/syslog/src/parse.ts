import type { SyslogMessage } from './message.ts'
import { parseStructuredData } from './structured-data.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const priorityPattern = /^<(\d{1,3})>/
const versionPattern = /^<\d{1,3}>1 /
const timePattern =
  /^(?:[A-Z][a-z]{2} [ \d]\d(?: \d{4})? \d{2}:\d{2}:\d{2}(?:\.\d{1,9})?|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)(?=[ :]|$)/
// A word that begins with a percent sign is Cisco's facility, severity and mnemonic: part of the message.
const tagPattern = /^([^\s:[\]%][^\s:[\]]{0,127})(?:\[([^\]\s]{0,128})\])?:(?: |$)/
// Cisco's sequence number and the sign that its clock is not set, in front of the time.
const sequencePattern = /^(?:\d{1,10}: )?(?:[\w.-]{1,255}: )?[*.]?(?=[A-Z][a-z]{2} [ \d]\d )/
const untaggedPidPattern = /^([^\s:[\]]{1,128})\[([^\]\s]{0,128})\] /
const highestPriority = 191

/**
 * Parses one syslog frame (without its framing): RFC 5424 when the version says so, else RFC 3164 as devices really write it (no
 * priority, no host, ISO times, years). Never throws; what fits neither is `unknown` with the whole text as message.
 */
export function parseSyslog(frame: string): SyslogMessage {
  const raw = withoutEnd(frame)
  if (versionPattern.test(raw)) {
    const parsed = parse5424(raw)
    if (parsed) return parsed
  }
  return parse3164(raw)
}

/** Without line ends and zeros at its end; nearly every frame has none. */
function withoutEnd(frame: string): string {
  let end = frame.length
  while (end > 0 && isEnd(frame.charCodeAt(end - 1))) end -= 1
  return end === frame.length ? frame : frame.slice(0, end)
}

function isEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0
}

function priorityOf(raw: string): { facility: number | undefined; severity: number | undefined; rest: string } {
  const found = priorityPattern.exec(raw)
  const priority = found ? Number(found[1]) : highestPriority + 1
  if (!found || priority > highestPriority) return { facility: undefined, severity: undefined, rest: raw }
  return { facility: priority >> 3, severity: priority & 7, rest: raw.slice(found[0].length) }
}

function parse5424(raw: string): SyslogMessage | undefined {
  const { facility, severity, rest } = priorityOf(raw)
  if (facility === undefined || severity === undefined) return undefined
  const header = /^1 (\S+) (\S+) (\S+) (\S+) (\S+) /.exec(`${rest} `)
  if (!header) return undefined
  const [whole, timestamp = '-', hostname = '-', appName = '-', procId = '-', msgId = '-'] = header
  const data = parseStructuredData(rest.slice(whole.length))
  if (!data) return undefined
  return {
    format: 'rfc5424',
    raw,
    facility,
    severity,
    ...named({ timestamp, hostname, appName, procId, msgId }),
    ...(Object.keys(data.elements).length > 0 ? { structuredData: data.elements } : {}),
    message: data.rest.replace(/^\uFEFF/, ''),
  }
}

function named(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '-'))
}

function parse3164(raw: string): SyslogMessage {
  const { facility, severity, rest } = priorityOf(raw)
  // Cisco's numbers are looked for only where no time stands.
  const plain = timePattern.exec(rest)?.[0]
  const timed = plain === undefined ? rest.replace(sequencePattern, '') : rest
  const time = plain ?? timePattern.exec(timed)?.[0]
  if (time === undefined && facility === undefined) return { format: 'unknown', raw, message: raw }
  const afterTime = time === undefined ? rest : withoutGap(timed.slice(time.length))
  const { hostname, tail } = time === undefined ? { hostname: undefined, tail: afterTime } : splitHostname(afterTime)
  const tag = tagPattern.exec(tail) ?? untaggedPidPattern.exec(tail)
  // Member by member: spreading an object for each that may be absent costs more than all patterns here.
  const parsed: Writable<SyslogMessage> = { format: 'rfc3164', raw, message: tag ? tail.slice(tag[0].length) : tail }
  if (facility !== undefined) parsed.facility = facility
  if (severity !== undefined) parsed.severity = severity
  if (time !== undefined) parsed.timestamp = time
  if (hostname !== undefined) parsed.hostname = hostname
  if (tag?.[1]) parsed.appName = tag[1]
  if (tag?.[2]) parsed.procId = tag[2]
  return parsed
}

/** Without the space, or colon and space, that it begins with. */
function withoutGap(text: string): string {
  if (text.startsWith(' ')) return text.slice(1)
  return text.startsWith(': ') ? text.slice(2) : text
}

/** Splits `host tag: message`; a first word that ends in a colon or holds a bracket is the tag of a frame without a host (BSD's local form). */
function splitHostname(text: string): { hostname: string | undefined; tail: string } {
  const space = text.indexOf(' ')
  const word = space < 0 ? text : text.slice(0, space)
  if (space < 0 || word === '' || word.includes('[') || word.includes(']') || word.endsWith(':'))
    return { hostname: undefined, tail: text }
  return { hostname: word, tail: text.slice(space + 1) }
}
