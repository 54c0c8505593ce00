import type { ShippedDashboard } from './dashboard.ts'
import { events, number, overTime, ranking, shares, table } from './lens.ts'
import { logs } from './views.ts'

const view = logs
const host = { field: 'host.name', label: 'Host', size: 20 }
const files = 'event.module: file_integrity or event.category: file'
const packages = 'event.category: package and event.type: (installation or change or deletion)'
const changes = 'event.module: inventory and not event.kind: state'
const part = (name: string): string => `event.dataset: inventory.${name}`
const hosts = { label: 'Hosts', operation: 'unique_count', field: 'host.name' } as const

/** What endpoints are made of and how they change. */
export const endpointDashboards: readonly ShippedDashboard[] = [
  {
    folder: 'endpoint',
    name: 'file-integrity',
    title: 'File integrity',
    description: 'Files that were made, changed and deleted on endpoints, and by whom.',
    last: '24h',
    rows: [
      {
        height: 8,
        panels: [
          number('Changes', { view, width: 12, query: files, measure: { label: 'to files', operation: 'count' } }),
          number('Files', {
            view,
            width: 12,
            query: files,
            measure: { label: 'that changed', operation: 'unique_count', field: 'file.path' },
          }),
          number('Deleted', {
            view,
            width: 12,
            query: `(${files}) and event.type: deletion`,
            measure: { label: 'files', operation: 'count' },
          }),
          number('Hosts', { view, width: 12, query: files, measure: { ...hosts, label: 'with changes' } }),
        ],
      },
      {
        height: 13,
        panels: [
          overTime('Changes over time by kind', {
            view,
            width: 32,
            query: files,
            split: { field: 'event.action', label: 'Change', size: 8 },
          }),
          ranking('Hosts with most changes', { view, width: 16, query: files, by: host }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Files that changed most', {
            view,
            width: 24,
            query: files,
            by: [{ field: 'file.path', label: 'File', size: 100 }, host],
          }),
          table('Who changed them', {
            view,
            width: 24,
            query: files,
            by: [
              { field: 'user.name', label: 'User', size: 20 },
              { field: 'process.name', label: 'Program', size: 20 },
              { field: 'event.action', label: 'Change', size: 10 },
            ],
          }),
        ],
      },
      {
        height: 16,
        panels: [
          events('Newest changes', {
            view,
            width: 48,
            query: files,
            columns: ['host.name', 'event.action', 'file.path', 'user.name', 'process.name'],
          }),
        ],
      },
    ],
  },
  {
    folder: 'endpoint',
    name: 'inventory',
    title: 'Inventory',
    description:
      'The hosts that send events, their systems, packages, services, ports and users, and how these change.',
    last: '7d',
    rows: [
      {
        height: 8,
        panels: [
          number('Hosts', { view, width: 12, measure: { ...hosts, label: 'with events' } }),
          number('Packages', {
            view,
            width: 12,
            query: part('packages'),
            measure: { label: 'different ones', operation: 'unique_count', field: 'package.name' },
          }),
          number('Ports', {
            view,
            width: 12,
            query: part('ports'),
            measure: { label: 'listened on', operation: 'unique_count', field: 'server.port' },
          }),
          number('Changes', {
            view,
            width: 12,
            query: changes,
            measure: { label: 'since the first look', operation: 'count' },
          }),
        ],
      },
      {
        height: 13,
        panels: [
          shares('Events by system', { view, width: 16, by: { field: 'host.os.name', label: 'System', size: 8 } }),
          overTime('Changes over time', {
            view,
            width: 32,
            query: `(${changes}) or (${packages})`,
            split: { field: 'event.action', label: 'Change', size: 10 },
          }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Hosts', {
            view,
            width: 24,
            by: [
              host,
              { field: 'host.os.name', label: 'System' },
              { field: 'host.os.version', label: 'Version' },
              { field: 'host.architecture', label: 'Architecture' },
            ],
          }),
          table('Packages', {
            view,
            width: 24,
            query: part('packages'),
            by: [
              { field: 'package.name', label: 'Package', size: 500 },
              { field: 'package.version', label: 'Version', size: 10 },
            ],
            measures: [hosts],
          }),
        ],
      },
      {
        height: 14,
        panels: [
          table('Services', {
            view,
            width: 16,
            query: part('services'),
            by: [
              { field: 'service.name', label: 'Service', size: 200 },
              { field: 'service.state', label: 'State' },
            ],
            measures: [hosts],
          }),
          table('Ports', {
            view,
            width: 16,
            query: part('ports'),
            by: [
              { field: 'server.port', label: 'Port', size: 100 },
              { field: 'network.transport', label: 'Protocol' },
              { field: 'process.name', label: 'Program' },
            ],
            measures: [hosts],
          }),
          table('Users', {
            view,
            width: 16,
            query: part('users'),
            by: [
              { field: 'user.name', label: 'User', size: 100 },
              { field: 'user.id', label: 'Id' },
            ],
            measures: [hosts],
          }),
        ],
      },
    ],
  },
]
