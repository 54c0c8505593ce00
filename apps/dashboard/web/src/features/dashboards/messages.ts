/** All words of the dashboards. */
export const messages = {
  title: 'Dashboards',
  description: 'Saved views over the events.',
  find: 'Find a dashboard',
  name: 'Name',
  about: 'Description',
  changed: 'Last changed',
  emptyTitle: 'There are no dashboards yet',
  emptyText:
    'Import exported dashboards (NDJSON) in Management → Saved Objects. The shipped ones are imported when the stack is installed.',
  openManagement: 'Open Saved Objects',
  noneFits: 'No dashboard has this name.',
  back: 'All dashboards',
  notFound: 'This dashboard does not exist',
  noPanels: 'This dashboard has no panels.',
  noData: 'No data in this time range',
  unknownKind: (kind: string) => `Panels of the kind “${kind}” cannot be drawn yet`,
  unknownKindText: 'The panel is kept as it is and exported unchanged.',
  showJson: 'Show its JSON',
  missing: (type: string, id: string) => `The ${type} [${id}] of this panel is not stored`,
  panelFailed: 'This panel could not be loaded',
  rows: (count: number) => `${count} rows`,
} as const
