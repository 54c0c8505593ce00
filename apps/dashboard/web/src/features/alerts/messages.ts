/** All words of the alerts page. */
export const messages = {
  title: 'Alerts',
  description: 'What the alert rules found, newest first.',
  emptyTitle: 'No alerts in this time range',
  emptyText:
    'The alerter checks its rules all the time. When one matches, the alert appears here and goes to the channels of the rule.',
  time: 'Time',
  severity: 'Severity',
  rule: 'Rule',
  what: 'What happened',
  host: 'Host',
  status: 'Status',
  reason: 'Reason',
  events: 'Events',
  firstEvent: 'First event',
  lastEvent: 'Last event',
  notifications: 'Notifications',
  noNotifications: 'The rule has no channels.',
  allStatuses: 'All',
  open: 'Open',
  acknowledged: 'Acknowledged',
  closed: 'Closed',
  acknowledge: 'Acknowledge',
  close: 'Close alert',
  reopen: 'Open again',
  showEvents: 'Show the events in Discover',
  details: 'Alert',
  count: (shown: number, total: number) => {
    if (shown < total) return `${shown} newest of ${total} alerts`
    return total === 1 ? '1 alert' : `${total} alerts`
  },
} as const
