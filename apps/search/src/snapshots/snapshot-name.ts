/** Why a snapshot may not be called so, in Elasticsearch's words; undefined when it may. Date math is evaluated before. */
export function snapshotNameFault(name: string): string | undefined {
  if (name === '') return 'cannot be empty'
  if (/\s/.test(name)) return 'must not contain whitespace'
  if (name.includes(',')) return "must not contain ','"
  if (name.includes('#')) return "must not contain '#'"
  if (name.startsWith('_')) return "must not start with '_'"
  if (name !== name.toLowerCase()) return 'must be lowercase'
  if (/[\\/*?"<>|]/.test(name))
    return String.raw`must not contain the following characters [ , ", *, \, <, |, ,, >, /, ?]`
  return undefined
}
