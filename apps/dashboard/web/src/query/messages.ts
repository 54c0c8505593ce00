/** All words of the query bar and the filter pills. */
export const messages = {
  label: { kuery: 'Query (KQL)', lucene: 'Query (Lucene)' },
  language: { kuery: 'KQL', lucene: 'Lucene' },
  change: { kuery: 'Language: KQL. Change to Lucene', lucene: 'Language: Lucene. Change to KQL' },
  placeholder: {
    kuery: 'Search, for example host.name: web-* and event.outcome: "failure"',
    lucene: 'Search, for example host.name:web-* AND event.outcome:failure',
  },
  clear: 'Clear the query',
  help: {
    kuery:
      'KQL: field: value, and, or, not, wildcards (web-*), ranges (bytes > 100), any value (user.name: *), groups with ( ). Press for Lucene.',
    lucene:
      'Lucene: field:value, AND, OR, NOT, wildcards (web-*), ranges (bytes:[1 TO 9]), regular expressions (/web-\\d/), fuzzy (web~). Press for KQL.',
  },
  hints: {
    unknownField: (field: string, near: string | undefined) =>
      `No index here has the field ${field}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    group: (field: string, member: string) => `${field} is a group of fields, such as ${member}: name one of them.`,
    equals: (write: string) => `KQL writes a colon: ${write}`,
    singleQuotes: (write: string) => `KQL quotes with double quotes: ${write}`,
    starInQuotes: (write: string) => `In quotes * is no wildcard. As one it is written ${write}`,
    spacedWildcard: (field: string, write: string) =>
      `A wildcard in ${field}, which is text, fits single words. For words in a row write ${write}`,
    luceneOperators: 'Lucene takes and, or, not for words to find: as operators they are written AND, OR, NOT.',
  },
  suggestions: 'Suggestions',
  remove: 'Remove filter',
  exists: 'exists',
  not: 'not',
  or: 'or',
  options: (filter: string) => `Filter ${filter}: options`,
  add: 'Add filter',
  edit: 'Edit filter',
  negate: 'Exclude what fits',
  include: 'Include what fits',
  disable: 'Disable for now',
  enable: 'Enable again',
  pin: 'Pin: keep it on other pages',
  unpin: 'Unpin',
  disabled: 'disabled',
  pinned: 'pinned',
  field: 'Field',
  operator: 'Operator',
  operators: { is: 'is', isOneOf: 'is one of', isBetween: 'is between', exists: 'exists' },
  excludes: 'Show what does not fit',
  value: 'Value',
  values: 'Values',
  from: 'From',
  to: 'To',
  cancel: 'Cancel',
  apply: 'Apply filter',
} as const
