/** Names that a source may not hold, because they are the document's own. */
export const metadataFields = new Set([
  '_id',
  '_index',
  '_source',
  '_routing',
  '_ignored',
  '_seq_no',
  '_version',
  '_field_names',
  '_type',
  '_nested_path',
  '_tier',
])
