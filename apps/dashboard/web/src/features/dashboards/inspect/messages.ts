/** All words of looking behind a panel. */
export const messages = {
  options: (title: string) => `Options of ${title}`,
  inspect: 'Inspect',
  csv: 'Download CSV',
  picture: 'Download picture',
  discover: 'Explore in Discover',
  filter: 'Filter this dashboard',
  maximise: 'Maximise',
  restore: 'Show all panels',
  data: 'Data',
  query: 'Query',
  request: 'Request',
  response: 'Response',
  layer: (number: number) => `Search ${number}`,
  facts: (index: string, tookMs: string, total: string) =>
    `${index === '' ? '' : `${index} · `}${tookMs} ms · ${total} documents fit`,
  factsOfRows: (index: string, tookMs: string, rows: string) =>
    `${index === '' ? '' : `${index} · `}${tookMs} ms · ${rows} rows`,
} as const
