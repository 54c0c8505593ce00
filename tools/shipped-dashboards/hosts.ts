import type { ShippedDashboard } from './dashboard.ts'
import { events, number, overTime, ranking, shares, table } from './lens.ts'
import { logs } from './views.ts'

const view = logs
const user = { field: 'user.name', label: 'User', size: 10 }
const host = { field: 'host.name', label: 'Host', size: 10 }
const address = { field: 'source.ip', label: 'From address', size: 10 }
// Files without a severity of their own are most of many hosts' messages.
const severity = { field: 'log.level', label: 'Severity', size: 8, missing: true }
const authentication = 'event.category: authentication'
const failed = `${authentication} and event.outcome: failure`
const succeeded = `${authentication} and event.outcome: success`
const firewall =
  'event.category: network and event.action: (packet or packet_blocked or packet_allowed or deny or allow or drop or accept)'
const blocked = 'event.category: network and (event.action: (packet_blocked or deny or drop) or event.type: denied)'

/** Linux hosts and devices. */
export const hostDashboards: readonly ShippedDashboard[] = [
  {
    folder: 'search',
    name: 'linux-authentication',
    title: 'Linux authentication',
    description: 'Logins, refusals, sessions and sudo on Linux hosts.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Logins', {
            view,
            width: 12,
            query: succeeded,
            measure: { label: 'that succeeded', operation: 'count' },
          }),
          number('Refusals', {
            view,
            width: 12,
            query: failed,
            measure: { label: 'logins that failed', operation: 'count' },
          }),
          number('Sessions', {
            view,
            width: 12,
            query: 'event.action: session_opened',
            measure: { label: 'opened', operation: 'count' },
          }),
          number('Addresses', {
            view,
            width: 12,
            query: failed,
            measure: { label: 'of failed logins', operation: 'unique_count', field: 'source.ip' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Logins by outcome', {
            view,
            width: 24,
            query: authentication,
            split: { field: 'event.outcome', label: 'Outcome' },
          }),
          overTime('Sessions, sudo and logins by kind', {
            view,
            width: 24,
            query: 'event.dataset: system.auth and event.action: *',
            split: { field: 'event.action', label: 'Action', size: 8, other: true },
          }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Failed logins', { view, width: 24, query: failed, by: [user, address, host] }),
          table('Sessions by user and service', {
            view,
            width: 24,
            query: 'event.action: session_opened',
            by: [user, { field: 'service.name', label: 'Service', size: 10 }, host],
          }),
        ],
      },
      {
        height: 15,
        panels: [
          events('Commands with sudo', {
            view,
            width: 24,
            query: 'event.action: sudo or process.name: sudo',
            columns: ['host.name', 'user.name', 'message'],
          }),
          events('All of authentication', {
            view,
            width: 24,
            query: 'event.dataset: system.auth',
            columns: ['host.name', 'event.action', 'event.outcome', 'message'],
          }),
        ],
      },
    ],
  },
  {
    folder: 'search',
    name: 'syslog',
    title: 'Syslog and journal',
    description: 'What hosts, routers, switches and other devices say: by device, program and severity.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Messages', { view, width: 16, query: 'message: *' }),
          number('Devices', {
            view,
            width: 16,
            query: 'message: *',
            measure: { label: 'that sent any', operation: 'unique_count', field: 'host.name' },
          }),
          number('Serious', {
            view,
            width: 16,
            query: 'log.level: (error or critical or alert or emergency) or log.syslog.severity.code <= 3',
            measure: { label: 'error or worse', operation: 'count' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Messages by severity', {
            view,
            width: 32,
            query: 'message: *',
            split: severity,
          }),
          shares('By facility', {
            view,
            width: 16,
            query: 'message: *',
            by: { field: 'log.syslog.facility.name', label: 'Facility', size: 8 },
          }),
        ],
      },
      {
        height: 14,
        panels: [
          ranking('Devices by severity', {
            view,
            width: 24,
            query: 'message: *',
            by: host,
            split: severity,
          }),
          table('Programs', {
            view,
            width: 24,
            query: 'message: *',
            by: [{ field: 'process.name', label: 'Program', size: 50 }],
            measures: [
              { label: 'Messages', operation: 'count' },
              { label: 'Errors', operation: 'count', query: 'log.level: error' },
              { label: 'Devices', operation: 'unique_count', field: 'host.name' },
            ],
          }),
        ],
      },
      {
        height: 16,
        panels: [
          events('Newest messages', {
            view,
            width: 48,
            query: 'message: *',
            columns: ['host.name', 'process.name', 'log.level', 'message'],
          }),
        ],
      },
    ],
  },
  {
    folder: 'search',
    name: 'firewall',
    title: 'Firewall',
    description:
      'Packets and connections that firewalls logged: what was let through, what was blocked, from where to what.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Logged', {
            view,
            width: 12,
            query: firewall,
            measure: { label: 'packets or connections', operation: 'count' },
          }),
          number('Blocked', {
            view,
            width: 12,
            query: blocked,
            measure: { label: 'packets or connections', operation: 'count' },
          }),
          number('Sources', {
            view,
            width: 12,
            query: blocked,
            measure: { label: 'addresses blocked', operation: 'unique_count', field: 'source.ip' },
          }),
          number('Ports', {
            view,
            width: 12,
            query: blocked,
            measure: { label: 'asked for', operation: 'unique_count', field: 'destination.port' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Over time by what was done', {
            view,
            width: 32,
            query: firewall,
            split: { field: 'event.action', label: 'Action', size: 6 },
          }),
          shares('By protocol', {
            view,
            width: 16,
            query: firewall,
            by: { field: 'network.transport', label: 'Protocol' },
          }),
        ],
      },
      {
        height: 14,
        panels: [
          ranking('Most blocked addresses', { view, width: 16, query: blocked, by: address }),
          table('Ports that were asked for', {
            view,
            width: 16,
            query: blocked,
            by: [
              { field: 'destination.port', label: 'Port', size: 50 },
              { field: 'network.transport', label: 'Protocol' },
            ],
            measures: [
              { label: 'Blocked', operation: 'count' },
              { label: 'Addresses', operation: 'unique_count', field: 'source.ip' },
            ],
          }),
          table('Firewalls and rules', {
            view,
            width: 16,
            query: firewall,
            by: [host, { field: 'rule.name', label: 'Rule', size: 20 }],
          }),
        ],
      },
      {
        height: 14,
        panels: [
          events('Blocked', {
            view,
            width: 48,
            query: blocked,
            columns: ['host.name', 'source.ip', 'destination.ip', 'destination.port', 'network.transport', 'rule.name'],
          }),
        ],
      },
    ],
  },
]
