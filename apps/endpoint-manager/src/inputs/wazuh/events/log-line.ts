import { isIP } from 'node:net'
import { macosReading } from './macos-line.ts'
import type { MessageKind, Reading } from './reading.ts'

/** Data sets by the path of the log file, as the shipped policy gives them to our own agent. */
const datasets: readonly (readonly [RegExp, string])[] = [
  [/^\/var\/log\/(?:auth\.log|secure)$/, 'system.auth'],
  [/^\/var\/log\/(?:syslog|messages)$/, 'system.syslog'],
  [/\/audit\/audit\.log$/, 'auditd.log'],
  [/\/nginx\/[^/]+$/, 'nginx.access'],
  [/\/(?:apache2|httpd)\/[^/]+$/, 'apache.access'],
  [/\/suricata\/eve[^/]*\.json$/, 'suricata.eve'],
]
/** What agents call sources that are no files. They write the journal's entries with their time in UTC, which the lines do not say. */
const sources = new Map([
  ['journald', 'system.journal'],
  ['WinEvtLog', 'windows.eventlog'],
])
// The name of a relaying agent before the path: `[003] (web1) 192.0.2.4->/var/log/syslog`.
const relayed = /^(?:\[\d{1,8}\] )?\([^)]{1,128}\) [^>]{1,64}->/
const outputStart = "ossec: output: '"
// Where the command itself is longer than what agents write of it.
const cutOutput = /^ossec: output: '(.{1,256}?)':/
const ownWords = /^(?:ossec|wazuh): /

/** `1` and `2`: lines of logs, what commands print, and what the agent says of itself. */
export const logLine: MessageKind = {
  name: 'log',
  read(text, location) {
    return ofCommand(text, location) ?? ofAgent(text, location) ?? ofFile(text, location.replace(relayed, ''))
  },
}

/** `ossec: output: 'df -P': …`; the command, or the name it was given, is the location, too. */
function ofCommand(text: string, location: string): Reading | undefined {
  if (!text.startsWith(outputStart)) return undefined
  const [prefix = '', command = ''] = text.startsWith(`${outputStart}${location}':`)
    ? [`${outputStart}${location}':`, location]
    : (cutOutput.exec(text) ?? [])
  return {
    dataset: 'wazuh.command',
    fields: {
      message: text.slice(prefix.length).replace(/^\s/, ''),
      event: { original: text, kind: 'event', category: ['process'], type: ['info'], action: 'command_output' },
      ...(command === '' ? {} : { process: { command_line: command } }),
    },
  }
}

function ofAgent(text: string, location: string): Reading | undefined {
  if (!ownWords.test(text)) return undefined
  const state = /^ossec: Agent (started|stopped): /.exec(text)?.[1]
  const event = {
    kind: 'event',
    category: ['host'],
    type: [state === 'started' ? 'start' : state === 'stopped' ? 'end' : 'info'],
    ...(state === undefined ? {} : { action: `agent_${state}` }),
  }
  return { dataset: 'wazuh.agent', fields: { message: text, event, ...(state ? {} : pathOf(location)) } }
}

function ofFile(text: string, location: string): Reading {
  const source = sources.get(location)
  if (location === 'macos') return macosReading(text)
  if (source === 'system.journal') return { dataset: source, fields: { message: text }, timezone: '+00:00' }
  if (source !== undefined) return { dataset: source, fields: { message: text } }
  if (isIP(location) > 0)
    return { dataset: 'syslog', fields: { message: text, log: { source: { address: location } } } }
  const dataset = datasets.find(([path]) => path.test(location))?.[1] ?? 'file.log'
  return { dataset, fields: { message: text, ...pathOf(location) } }
}

function pathOf(location: string): { log?: { file: { path: string } } } {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(location) ? { log: { file: { path: location } } } : {}
}
