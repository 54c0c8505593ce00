import type { Services } from '../services.ts'

type Catalogue = Pick<Services['catalogue'], 'collection'>

/** A limit of the cluster's settings, transient before persistent, as the text it was set to. */
export function clusterSetting(catalogue: Catalogue, name: string): string | undefined {
  const kept = catalogue.collection<Readonly<Record<string, string>>>('cluster_settings')
  return kept.get('transient')?.[name] ?? kept.get('persistent')?.[name]
}

/** A whole number of the cluster's settings; what was not set to one counts as not set. */
export function clusterLimit(catalogue: Catalogue, name: string, otherwise: number): number {
  const text = clusterSetting(catalogue, name)
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : otherwise
}
