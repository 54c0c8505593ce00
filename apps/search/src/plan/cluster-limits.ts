import type { Services } from '../services.ts'

type Catalogue = Pick<Services['catalogue'], 'collection'>

/** All settings of the cluster that were set, transient before persistent. */
export function clusterSettings(catalogue: Catalogue): Readonly<Record<string, string>> {
  const kept = catalogue.collection<Readonly<Record<string, string>>>('cluster_settings')
  return { ...kept.get('persistent'), ...kept.get('transient') }
}

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

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time of a setting (`5m`) in milliseconds; endless when it is none. */
export function timeMs(text: string): number {
  const parts = /^(\d+)(ms|s|m|h|d)$/u.exec(text)
  return parts ? Number(parts[1]) * (unitMs[parts[2] ?? ''] ?? 1) : Number.POSITIVE_INFINITY
}
