import type { Services } from '../services.ts'
import { acceptedFamilies, acceptedSettings } from './accepted.ts'
import type { SettingKind } from './kinds.ts'
import { type SteeringSetting, steeringSettings } from './steering.ts'

/** The name of a setting that steers this engine. */
export type SteeringName = keyof typeof steeringSettings

/** Those by name, for names that are not known while compiling. */
const steering: Readonly<Record<string, SteeringSetting>> = steeringSettings

/** What the settings file or the code says once and for all: shown among the defaults, changed by nobody while search runs. */
const fixedNames = ['cluster.name', 'node.name', 'path.repo', 'reindex.remote.whitelist'] as const

/** The kind of values of a setting that may change; undefined for a name that no such setting has. */
export function changeableKind(name: string): SettingKind | undefined {
  if (Object.hasOwn(steering, name)) return steering[name]?.kind
  if (Object.hasOwn(acceptedSettings, name)) return acceptedSettings[name]?.[0]
  return acceptedFamilies.find(([prefix]) => name.startsWith(prefix) && name.length > prefix.length)?.[1]
}

/** Whether a setting is known and may not change. */
export function isFixed(name: string): boolean {
  return fixedNames.some((known) => known === name)
}

/** What all settings that have one come to when they are not set; lists as JSON, as they are kept. */
export function settingDefaults(
  clusterName: string,
  { nodeName, repositoryFolders, remoteSources }: Pick<Services, 'nodeName' | 'repositoryFolders' | 'remoteSources'>,
): Record<string, string> {
  const fixed: Record<(typeof fixedNames)[number], string> = {
    'cluster.name': clusterName,
    'node.name': nodeName,
    'path.repo': JSON.stringify(repositoryFolders),
    'reindex.remote.whitelist': JSON.stringify(remoteSources?.hosts ?? []),
  }
  const changeable = [
    ...Object.entries(steering).map(([name, { kind, standard }]) => [name, kind, standard] as const),
    ...Object.entries(acceptedSettings).map(([name, [kind, standard]]) => [name, kind, standard] as const),
  ]
  const shown = changeable.map(([name, { isList }, standard]) => [name, isList ? listText(standard) : standard])
  return { ...fixed, ...Object.fromEntries(shown) }
}

function listText(names: string): string {
  return JSON.stringify(names === '' ? [] : names.split(','))
}
