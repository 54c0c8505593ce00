/** Rows of the list; there may be thousands of agents, and it is asked for every few seconds. */
const shownMax = 500

/** What search is asked for the list: enrolled agents whose host's name has `find` in it, of a state where one is named, by host, and how many there are. */
export function agentsQuestion(find: string, state: string | null): object {
  const name = find.replace(/[\\*?]/g, '\\$&')
  const filter = [
    { term: { active: true } },
    ...(find === '' ? [] : [{ wildcard: { host_name: { value: `*${name}*`, case_insensitive: true } } }]),
    ...(state === null ? [] : [{ term: { status: state } }]),
  ]
  return {
    size: shownMax,
    track_total_hits: true,
    _source: { excludes: ['access_key_sha256', 'components', 'local_metadata'] },
    query: { bool: { filter } },
    sort: [{ host_name: { order: 'asc', unmapped_type: 'keyword' } }],
  }
}
