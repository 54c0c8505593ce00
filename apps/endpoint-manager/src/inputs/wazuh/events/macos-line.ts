import { present, type Reading } from './reading.ts'

// `2026-11-28 15:19:50.123456-0700  localhost sshd[123]: (libxpc.dylib) words`, which Apple's `log` calls its syslog style.
const line =
  /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3})\d{0,3}([+-]\d\d)(\d\d) {1,4}(\S{1,255}) ([^[\]:]{1,255})\[(\d{1,10})\]: (.*)$/s

/** A line of macOS's unified log. */
export function macosReading(text: string): Reading {
  const [, date, clock, hours, minutes, hostname, program, pid, words] = line.exec(text) ?? []
  const time = date === undefined ? undefined : new Date(`${date}T${clock}${hours}:${minutes}`)
  if (time === undefined || Number.isNaN(time.getTime())) return { dataset: 'macos.log', fields: { message: text } }
  const fields = present({
    '@timestamp': time.toISOString(),
    message: words,
    event: { original: text },
    log: { syslog: { appname: program, procid: pid, hostname } },
    process: { name: program, pid: Number(pid) },
  })
  return { dataset: 'macos.log', fields }
}
