/** All words of saved queries. */
export const messages = {
  open: 'Saved queries',
  find: 'Find a saved query',
  none: 'No query is saved yet.',
  noneFits: 'No saved query has this name.',
  untold: (count: number) =>
    count === 1 ? 'One filter of it cannot be shown here' : `${count} filters of it cannot be shown here`,
  rename: (title: string) => `Rename ${title}`,
  newName: (title: string) => `New name of ${title}`,
  keepName: 'Save name',
  remove: (title: string) => `Delete ${title}`,
  confirm: (title: string) => `Delete “${title}” for everybody?`,
  confirmYes: 'Delete',
  cancel: 'Cancel',
  saveTitle: 'Save what is asked for now',
  name: 'Name',
  withFilters: 'With the filters',
  withRange: 'With the time range',
  save: 'Save query',
  replace: 'Replace the one of this name',
  failed: 'This could not be done',
} as const
