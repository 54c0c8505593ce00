import { messages } from '../../messages.ts'

// Names and ids under which Kibana, OpenSearch and offline installations offer the outlines of countries.
const countryLayers = /world.?countries|^world\b|countries|country/i

/** What is to be said of a set of boundaries: nothing of countries, that they are not drawn of all others (states, districts). */
export function boundariesNote(names: readonly (string | undefined)[]): string[] {
  const known = names.flatMap((name) => (name ? [name] : []))
  if (known.length === 0 || known.some((name) => countryLayers.test(name))) return []
  return [messages.map.otherRegions(known[0] ?? '')]
}
