/** All words of the rules page. */
export const messages = {
  title: 'Rules',
  description: 'What the alerter looks for, and how each rule fares.',
  emptyTitle: 'No rules yet',
  emptyText: 'Put rule files of ElastAlert or Sigma into the rules folder, or run ./logstack rules import DIR.',
  search: 'Find a rule',
  name: 'Rule',
  type: 'Type',
  severity: 'Severity',
  state: 'State',
  lastRun: 'Last run',
  lastMatch: 'Last alert',
  alerts: 'Alerts',
  on: 'On',
  never: 'never',
  problems: 'Only with problems',
  count: (shown: number, total: number, broken: number) =>
    `${shown} of ${total} rules${broken > 0 ? `, ${broken} cannot run or failed` : ''}`,
} as const
