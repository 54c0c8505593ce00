import type { ShippedDashboard } from './dashboard.ts'
import { events, number, overTime, ranking, shares, table } from './lens.ts'
import { vulnerabilities as view } from './views.ts'

const severity = { field: 'vulnerability.severity', label: 'Severity', size: 5 }
const host = { field: 'host.name', label: 'Host', size: 20 }
const packages = { field: 'package.name', label: 'Package', size: 100 }
const differentOnes = { operation: 'unique_count', field: 'vulnerability.id', label: 'different ones' } as const
const hosts = { operation: 'unique_count', field: 'host.name', label: 'Hosts' } as const

/** What of the hosts' packages is vulnerable now, by the advisories that were imported. */
export const vulnerabilityDashboards: readonly ShippedDashboard[] = [
  {
    folder: 'endpoint',
    name: 'vulnerabilities',
    title: 'Vulnerabilities',
    description: 'Packages of hosts that advisories say are vulnerable, which versions fix them, and how grave it is.',
    // What hosts have now stands since it was found.
    last: '10y',
    rows: [
      {
        height: 8,
        panels: [
          number('Critical', { view, width: 12, query: 'vulnerability.severity: Critical', measure: differentOnes }),
          number('High', { view, width: 12, query: 'vulnerability.severity: High', measure: differentOnes }),
          number('Fixed by an upgrade', {
            view,
            width: 12,
            query: 'package.fixed_version: *',
            measure: { ...differentOnes, label: 'of all' },
          }),
          number('Hosts', { view, width: 12, measure: { ...hosts, label: 'with vulnerabilities' } }),
        ],
      },
      {
        height: 13,
        panels: [
          shares('By severity', { view, width: 16, by: severity }),
          ranking('Hosts with most', { view, width: 32, by: host, split: severity }),
        ],
      },
      {
        height: 16,
        panels: [
          table('Packages to upgrade', {
            view,
            width: 24,
            query: 'package.fixed_version: *',
            by: [packages, { field: 'package.fixed_version', label: 'Fixed in', size: 5 }],
            measures: [{ label: 'Vulnerabilities', operation: 'count' }, hosts],
          }),
          table('Gravest', {
            view,
            width: 24,
            by: [{ field: 'vulnerability.id', label: 'Vulnerability', size: 100 }, severity],
            measures: [{ label: 'Score', operation: 'max', field: 'vulnerability.score.base' }, hosts],
          }),
        ],
      },
      {
        height: 13,
        panels: [overTime('Found', { view, width: 48, split: severity })],
      },
      {
        height: 16,
        panels: [
          events('Newest', {
            view,
            width: 48,
            columns: [
              'host.name',
              'vulnerability.severity',
              'vulnerability.id',
              'package.name',
              'package.version',
              'package.fixed_version',
              'vulnerability.description',
            ],
          }),
        ],
      },
    ],
  },
]
