import type { Services } from '../services.ts'
import { readBytes, readTime } from '../values/unit-values.ts'
import type { SteeringName } from './registry.ts'
import { steeringSettings } from './steering.ts'

type Catalogue = Pick<Services['catalogue'], 'collection'>

/** All settings of the cluster that were set, transient before persistent. */
export function clusterSettings(catalogue: Catalogue): Readonly<Record<string, string>> {
  const kept = catalogue.collection<Readonly<Record<string, string>>>('cluster_settings')
  return { ...kept.get('persistent'), ...kept.get('transient') }
}

/** What a setting of the cluster comes to: transient before persistent before its default. */
export function clusterSetting(catalogue: Catalogue, name: SteeringName): string {
  const kept = catalogue.collection<Readonly<Record<string, string>>>('cluster_settings')
  return kept.get('transient')?.[name] ?? kept.get('persistent')?.[name] ?? steeringSettings[name].standard
}

/** A whole number of the cluster's settings. */
export function clusterCount(catalogue: Catalogue, name: SteeringName): number {
  return Number(clusterSetting(catalogue, name))
}

/** A time of the cluster's settings in milliseconds; -1 is none. */
export function clusterTimeMs(catalogue: Catalogue, name: SteeringName): number {
  return readTime(name, clusterSetting(catalogue, name))
}

/** A size of the cluster's settings in bytes. */
export function clusterBytes(catalogue: Catalogue, name: SteeringName): number {
  return readBytes(name, clusterSetting(catalogue, name))
}

/** The members of a setting that is a list: kept as JSON when a list was given, else with commas. */
export function listMembers(text: string): string[] {
  if (text === '') return []
  const members: unknown = text.startsWith('[') ? JSON.parse(text) : text.split(',')
  return Array.isArray(members) ? members.map((member) => String(member).trim()) : []
}
