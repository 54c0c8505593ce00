/** All words of the query bar and the filter pills. */
export const messages = {
  label: 'Query (KQL)',
  placeholder: 'Search, for example host.name: web-* and event.outcome: "failure"',
  clear: 'Clear the query',
  help: 'field: value, and, or, not, wildcards (web-*), ranges (bytes > 100), any value (user.name: *), groups with ( )',
  remove: 'Remove filter',
  exists: 'exists',
  not: 'not',
  or: 'or',
} as const
