import type { ShippedDashboard } from './dashboard.ts'
import { events, heat, number, overTime, ranking, shares, table, text } from './lens.ts'
import { agents, alerts, health, logs } from './views.ts'

const open = 'logstack.alert.status: open'
const checks = 'event.module: checks'
const results = { label: 'results', operation: 'count' } as const
const severity = { field: 'logstack.alert.severity', label: 'Severity' }

/** The stack itself: what comes in, what its own checks see, what alerts say. */
export const stackDashboards: readonly ShippedDashboard[] = [
  {
    folder: 'search',
    name: 'stack-overview',
    title: 'Stack overview and health',
    description: 'What arrives and from where, who is silent, and what the stack’s own checks see.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Events', { view: logs, width: 8 }),
          number('Hosts', {
            view: logs,
            width: 8,
            measure: { label: 'hosts with events', operation: 'unique_count', field: 'host.name' },
          }),
          number('Data sets', {
            view: logs,
            width: 8,
            measure: { label: 'kinds of events', operation: 'unique_count', field: 'event.dataset' },
          }),
          number('Agents', {
            view: agents,
            width: 8,
            query: 'active: true',
            measure: { label: 'checked in', operation: 'count' },
          }),
          number('Open alerts', {
            view: alerts,
            width: 8,
            query: `event.kind: alert and ${open}`,
            measure: { label: 'to look at', operation: 'count' },
          }),
          number('Faults', {
            view: health,
            width: 8,
            query: 'status: fault',
            measure: { label: 'found by doctor', operation: 'count' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Events over time by data set', {
            view: logs,
            width: 32,
            split: { field: 'event.dataset', label: 'Data set', size: 8, other: true },
          }),
          shares('Events by host', { view: logs, width: 16, by: { field: 'host.name', label: 'Host', size: 8 } }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Data sets and how many hosts send them', {
            view: logs,
            width: 24,
            by: [{ field: 'event.dataset', label: 'Data set', size: 50 }],
            measures: [
              { label: 'Events', operation: 'count' },
              { label: 'Hosts', operation: 'unique_count', field: 'host.name' },
            ],
          }),
          table('What doctor saw last', {
            view: health,
            width: 24,
            by: [
              { field: 'status', label: 'Status', size: 5 },
              { field: 'title', label: 'Check', size: 100 },
            ],
          }),
        ],
      },
      {
        height: 14,
        panels: [
          events('Errors', {
            view: logs,
            width: 48,
            query: 'log.level: (error or critical or alert or emergency)',
            columns: ['host.name', 'event.dataset', 'message'],
          }),
        ],
      },
    ],
  },
  {
    folder: 'search',
    name: 'alerts',
    title: 'Alerts and ATT&CK',
    description: 'Alerts by rule, host and severity, and the tactics and techniques of MITRE ATT&CK they stand for.',
    last: '7d',
    rows: [
      {
        height: 8,
        panels: [
          number('Alerts', {
            view: alerts,
            width: 12,
            query: 'event.kind: alert',
            measure: { label: 'in this time', operation: 'count' },
          }),
          number('Open', {
            view: alerts,
            width: 12,
            query: `event.kind: alert and ${open}`,
            measure: { label: 'to look at', operation: 'count' },
          }),
          number('High and critical', {
            view: alerts,
            width: 12,
            query: `event.kind: alert and ${open} and logstack.alert.severity: (high or critical)`,
            measure: { label: 'open', operation: 'count' },
          }),
          number('Rules', {
            view: alerts,
            width: 12,
            query: 'event.kind: alert',
            measure: { label: 'that matched', operation: 'unique_count', field: 'rule.name' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Alerts over time by severity', {
            view: alerts,
            width: 32,
            query: 'event.kind: alert',
            split: severity,
          }),
          shares('Alerts by status', {
            view: alerts,
            width: 16,
            query: 'event.kind: alert',
            by: { field: 'logstack.alert.status', label: 'Status' },
          }),
        ],
      },
      {
        height: 15,
        panels: [
          ranking('Tactics', {
            view: alerts,
            width: 16,
            query: 'event.kind: alert',
            by: { field: 'threat.tactic.name', label: 'Tactic', size: 14 },
            split: severity,
          }),
          heat('Tactics by host', {
            view: alerts,
            width: 32,
            query: 'event.kind: alert',
            across: { field: 'host.name', label: 'Host', size: 12 },
            down: { field: 'threat.tactic.name', label: 'Tactic', size: 14 },
          }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Techniques', {
            view: alerts,
            width: 20,
            query: 'event.kind: alert',
            by: [
              { field: 'threat.technique.id', label: 'Technique', size: 50 },
              { field: 'rule.name', label: 'Rule', size: 10 },
            ],
          }),
          table('Rules and what they were about', {
            view: alerts,
            width: 28,
            query: 'event.kind: alert',
            by: [
              { field: 'rule.name', label: 'Rule', size: 50 },
              { field: 'logstack.alert.severity', label: 'Severity' },
              { field: 'host.name', label: 'Host', size: 10 },
            ],
          }),
        ],
      },
    ],
  },
  {
    folder: 'endpoint',
    name: 'agents',
    title: 'Agents',
    description: 'The agents that are enrolled, how they fare, and what they send.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Agents', {
            view: agents,
            width: 16,
            query: 'active: true',
            measure: { label: 'checked in', operation: 'count' },
          }),
          number('Versions', {
            view: agents,
            width: 16,
            query: 'active: true',
            measure: { label: 'of agents', operation: 'unique_count', field: 'agent_version' },
          }),
          number('Sending hosts', {
            view: logs,
            width: 16,
            query: 'agent.id: *',
            measure: { label: 'with events', operation: 'unique_count', field: 'host.name' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          shares('By state', {
            view: agents,
            width: 16,
            query: 'active: true',
            by: { field: 'last_checkin_status', label: 'State' },
          }),
          shares('By system', {
            view: agents,
            width: 16,
            query: 'active: true',
            by: { field: 'os_name', label: 'System' },
          }),
          shares('By policy', {
            view: agents,
            width: 16,
            query: 'active: true',
            by: { field: 'policy_id', label: 'Policy' },
          }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Agents', {
            view: agents,
            width: 24,
            query: 'active: true',
            by: [
              { field: 'host_name', label: 'Host', size: 100 },
              { field: 'agent_version', label: 'Version' },
              { field: 'last_checkin_status', label: 'State' },
            ],
            measures: [{ label: 'Agents', operation: 'count' }],
          }),
          overTime('Events over time by host', {
            view: logs,
            width: 24,
            query: 'agent.id: *',
            split: { field: 'host.name', label: 'Host', size: 10, other: true },
          }),
        ],
      },
    ],
  },
  {
    folder: 'endpoint',
    name: 'checks',
    title: 'Checks',
    description: 'How hosts are configured, by the checks their agents run, and what the checks of the stack saw.',
    last: '7d',
    rows: [
      {
        height: 8,
        panels: [
          number('Passed', { view: logs, width: 16, query: `${checks} and event.outcome: success`, measure: results }),
          number('Failed', { view: logs, width: 16, query: `${checks} and event.outcome: failure`, measure: results }),
          number('Not looked at', {
            view: logs,
            width: 16,
            query: `${checks} and event.outcome: unknown`,
            measure: results,
          }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Results over time', {
            view: logs,
            width: 32,
            query: checks,
            split: { field: 'event.action', label: 'Result' },
          }),
          ranking('Hosts with most failures', {
            view: logs,
            width: 16,
            query: `${checks} and event.outcome: failure`,
            by: { field: 'host.name', label: 'Host', size: 20 },
          }),
        ],
      },
      {
        height: 16,
        panels: [
          events('Failed checks, and why', {
            view: logs,
            width: 30,
            query: `${checks} and event.outcome: failure`,
            columns: ['host.name', 'rule.name', 'event.reason'],
          }),
          table('Checks of the stack', {
            view: health,
            width: 18,
            by: [
              { field: 'status', label: 'Status' },
              { field: 'title', label: 'Check', size: 200 },
            ],
          }),
        ],
      },
      {
        height: 5,
        panels: [
          text(
            'A result is reported when it is first known and when it changes. `logstack doctor` says of each fault of the stack what was seen, what it means and the commands that mend it; see also the page **Health**.',
          ),
        ],
      },
    ],
  },
]
