import { agentIndices } from './agent-api.ts'
import {
  alerterStateIndex,
  alertRulesIndex,
  alertSilencesIndex,
  alertsIndex,
  ruleTrialsIndex,
  storedRulesIndex,
} from './alert.ts'
import type { PartName } from './parts.ts'
import { savedObjectsIndex } from './saved-object.ts'

/** A hidden index in which a part keeps its state: `version` rises with its mapping, which may only add fields. */
export interface StateIndex {
  readonly name: string
  readonly version: number
  readonly properties: Readonly<Record<string, unknown>>
}

/** The hidden indices of each part that makes its own when it starts, and goes by what it has read from them. */
export const stateIndices = {
  dashboard: [savedObjectsIndex],
  alerter: [alertsIndex, alerterStateIndex, alertSilencesIndex, alertRulesIndex, storedRulesIndex, ruleTrialsIndex],
  'agent-server': Object.values(agentIndices),
} as const satisfies Partial<Record<PartName, readonly StateIndex[]>>
