import { parseSyslog } from '@logstack/syslog'
import type { RawEvent } from '../../documents/build-document.ts'

/** A syslog message as an event; `sender` is the address it came from, `timezone` (`+01:00`) that of times that do not say theirs. */
export function syslogEvent(text: string, sender: string, timezone: string, collected = 0): RawEvent {
  const syslog = parseSyslog(text)
  const address = sender.startsWith('::ffff:') ? sender.slice('::ffff:'.length) : sender
  const fields = {
    message: syslog.raw,
    host: { name: syslog.hostname ?? address, ip: address },
    log: { source: { address } },
    event: { provider: syslog.format },
  }
  return { type: 'logs', dataset: 'syslog', fields, areOwn: true, collected, syslog, timezone }
}
