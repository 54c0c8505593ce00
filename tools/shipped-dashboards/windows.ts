import type { ShippedDashboard } from './dashboard.ts'
import { events, number, overTime, ranking, shares, table } from './lens.ts'
import { logsAndWinlogbeat } from './views.ts'

const view = logsAndWinlogbeat
const host = { field: 'host.name', label: 'Host', size: 20 }
const user = { field: 'winlog.event_data.TargetUserName', label: 'Account', size: 20 }
const by = { field: 'winlog.event_data.SubjectUserName', label: 'By', size: 20 }
const logon = { field: 'winlog.event_data.LogonType', label: 'Logon type', size: 10 }
const security = 'winlog.channel: Security'
const failed = 'event.code: 4625'
const accounts = `${security} and event.code: (4720 or 4722 or 4723 or 4724 or 4725 or 4726 or 4738 or 4740 or 4767 or 4781)`
const groups = `${security} and event.code: (4727 or 4728 or 4729 or 4731 or 4732 or 4733 or 4735 or 4737 or 4756 or 4757)`
const policy = `${security} and event.code: (4713 or 4719 or 4739 or 4904 or 4905 or 4946 or 4947 or 4948 or 4950 or 4954)`
const cleared = 'event.code: (1102 or 104)'
const sysmon = 'event.provider: "Microsoft-Windows-Sysmon"'
const started = `event.code: 4688 or (${sysmon} and event.code: 1) or (event.category: process and event.type: start)`
const program = { field: 'process.name', label: 'Program', size: 20 }
const parent = { field: 'process.parent.name', label: 'Started by', size: 10 }
const code = { field: 'event.code', label: 'Event', size: 30 }

/** Windows hosts, from Winlogbeat or an agent, and the programs of all hosts. */
export const windowsDashboards: readonly ShippedDashboard[] = [
  {
    folder: 'search',
    name: 'windows-security',
    title: 'Windows security',
    description: 'Logons, changed accounts and groups, changed policies, cleared logs.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Logons', {
            view,
            width: 10,
            query: 'event.code: 4624',
            measure: { label: 'that succeeded', operation: 'count' },
          }),
          number('Refused', {
            view,
            width: 10,
            query: failed,
            measure: { label: 'logons that failed', operation: 'count' },
          }),
          number('Locked out', {
            view,
            width: 9,
            query: 'event.code: 4740',
            measure: { label: 'accounts', operation: 'count' },
          }),
          number('Policy changes', {
            view,
            width: 10,
            query: policy,
            measure: { label: 'audit, domain, firewall', operation: 'count' },
          }),
          number('Logs cleared', { view, width: 9, query: cleared, measure: { label: 'times', operation: 'count' } }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Logons by outcome', {
            view,
            width: 24,
            query: 'event.code: (4624 or 4625)',
            split: { field: 'event.outcome', label: 'Outcome' },
          }),
          overTime('Logons by type', { view, width: 14, query: 'event.code: 4624', split: logon }),
          shares('Why logons failed', {
            view,
            width: 10,
            query: failed,
            by: { field: 'winlog.event_data.SubStatus', label: 'Reason', size: 8 },
          }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Failed logons', {
            view,
            width: 24,
            query: failed,
            by: [user, { field: 'winlog.event_data.IpAddress', label: 'From', size: 10 }, host],
          }),
          table('Special privileges', { view, width: 24, query: 'event.code: 4672', by: [by, host] }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Changed accounts', { view, width: 16, query: accounts, by: [code, user, by] }),
          table('Changed groups', { view, width: 16, query: groups, by: [code, user, by] }),
          table('Changed policies', { view, width: 16, query: policy, by: [code, host, by] }),
        ],
      },
      {
        height: 12,
        panels: [
          events('Cleared logs', {
            view,
            width: 48,
            query: cleared,
            columns: ['host.name', 'event.code', 'winlog.user_data.SubjectUserName', 'winlog.channel', 'message'],
          }),
        ],
      },
    ],
  },
  {
    folder: 'search',
    name: 'process-explorer',
    title: 'Process explorer',
    description: 'Which programs were started, by whom, by what, and with which words.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Started', { view, width: 16, query: started, measure: { label: 'processes', operation: 'count' } }),
          number('Programs', {
            view,
            width: 16,
            query: started,
            measure: { label: 'different ones', operation: 'unique_count', field: 'process.name' },
          }),
          number('Shells', {
            view,
            width: 16,
            query: `(${started}) and process.name: (powershell.exe or pwsh.exe or cmd.exe or wscript.exe or cscript.exe or mshta.exe or bash or sh)`,
            measure: { label: 'and script hosts', operation: 'count' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Started by host', { view, width: 24, query: started, split: { ...host, size: 8, other: true } }),
          ranking('Programs started most', { view, width: 24, query: started, by: program }),
        ],
      },
      {
        height: 15,
        panels: [
          table('What started what', { view, width: 24, query: started, by: [parent, program] }),
          table('Who started what', {
            view,
            width: 24,
            query: started,
            by: [{ field: 'user.name', label: 'User', size: 20 }, program, host],
          }),
        ],
      },
      {
        height: 16,
        panels: [
          events('Command lines', {
            view,
            width: 48,
            query: `(${started}) and process.command_line: *`,
            columns: ['host.name', 'user.name', 'process.parent.name', 'process.command_line'],
          }),
        ],
      },
    ],
  },
  {
    folder: 'search',
    name: 'sysmon',
    title: 'Sysmon summary',
    description:
      'What Sysmon sees: processes, connections, files, the registry, and one program reaching into another.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Events', { view, width: 12, query: sysmon }),
          number('Hosts', {
            view,
            width: 12,
            query: sysmon,
            measure: { label: 'with Sysmon', operation: 'unique_count', field: 'host.name' },
          }),
          number('Connections', {
            view,
            width: 12,
            query: `${sysmon} and event.code: 3`,
            measure: { label: 'to the network', operation: 'count' },
          }),
          number('Reached into', {
            view,
            width: 12,
            query: `${sysmon} and event.code: (8 or 10 or 25)`,
            measure: { label: 'other processes', operation: 'count' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Events over time by kind', {
            view,
            width: 32,
            query: sysmon,
            split: { ...code, size: 10, other: true },
          }),
          shares('Events by kind', { view, width: 16, query: sysmon, by: { ...code, size: 10 } }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Connections', {
            view,
            width: 24,
            query: `${sysmon} and event.code: 3`,
            by: [
              program,
              { field: 'destination.ip', label: 'To', size: 20 },
              { field: 'destination.port', label: 'Port' },
            ],
          }),
          table('Names that were asked for', {
            view,
            width: 24,
            query: `${sysmon} and event.code: 22`,
            by: [{ field: 'dns.question.name', label: 'Name', size: 50 }, program],
          }),
        ],
      },
      {
        height: 14,
        panels: [
          events('The registry', {
            view,
            width: 24,
            query: `${sysmon} and event.code: (12 or 13 or 14)`,
            columns: ['host.name', 'process.name', 'winlog.event_data.TargetObject'],
          }),
          events('One program reaching into another', {
            view,
            width: 24,
            query: `${sysmon} and event.code: (8 or 10 or 25)`,
            columns: ['host.name', 'winlog.event_data.SourceImage', 'winlog.event_data.TargetImage'],
          }),
        ],
      },
    ],
  },
]
