/** A document as its leaves by dotted path. */
export type Flat = Readonly<Record<string, unknown>>

/** What is another on every machine or every day. */
const variable = new Set([
  ...['agent.name', 'agent.type', 'agent.ephemeral_id', 'agent.id', 'agent.version'],
  ...['event.created', 'event.ingested', 'log.file.path', 'ecs.version'],
])
/** Logs whose lines do not say the year. */
const yearless = new Set(['haproxy.log', 'icinga.startup', 'redis.log', 'system.auth', 'system.syslog'])
const withYear = new Set(['tz-offset.log', 'timestamp.log'])

/**
 * Leaves out of a document what no two installations have alike: names, times of today, places of addresses (their databases are not there) and
 * browsers' names (their list is not that of Elasticsearch). Lists have no order, but for arguments.
 */
export function comparable(document: Record<string, unknown>, file: string): Flat {
  const flat = flattened(document)
  const forwarded = asList(flat['tags']).includes('forwarded')
  const timeless = yearless.has(String(flat['event.dataset'])) && !withYear.has(file.split('/').at(-1) ?? '')
  const kept = Object.entries(flat).flatMap(([path, value]): [string, unknown][] => {
    if (variable.has(path) || (path === 'host.name' && !forwarded) || (path === '@timestamp' && timeless)) return []
    if (/\.(?:geo|as)\./u.test(path) || path.startsWith('user_agent.')) return []
    if (path === 'tags') {
      const tags = asList(value).filter((tag) => !String(tag).startsWith('_geoip_database_unavailable'))
      return tags.length === 0 ? [] : [[path, tags.toSorted()]]
    }
    const listed = Array.isArray(value) && path !== 'process.args'
    return [[path, listed ? value.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)) : value]]
  })
  return Object.fromEntries(kept)
}

function asList(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function flattened(document: Record<string, unknown>, above = ''): Record<string, unknown> {
  const flat: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(document))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      Object.assign(flat, flattened(value as Record<string, unknown>, `${above}${key}.`))
    else flat[above + key] = value
  return flat
}
