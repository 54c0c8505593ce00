/** All words of the document table. */
export const messages = {
  addColumn: 'Show as a column',
  removeColumn: 'Remove the column',
  filterFor: 'Only this value',
  filterOut: 'Not this value',
  time: 'Time',
  document: 'Document',
  expand: 'Show the whole document',
  collapse: 'Close the document',
  table: 'Table',
  json: 'JSON',
  copy: 'Copy',
  copied: 'Copied',
} as const
