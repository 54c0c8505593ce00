import type { ActionType } from './action-type.ts'
import { collectFileAction } from './collect-file.ts'
import { isolateAction } from './isolate.ts'
import { restartAction } from './restart.ts'
import { runCheckAction } from './run-check.ts'
import { settingsAction } from './settings.ts'
import { upgradeAction } from './upgrade.ts'

/** Every kind of action an administrator can order. */
const actionTypes: readonly ActionType[] = [
  restartAction,
  upgradeAction,
  settingsAction,
  collectFileAction,
  runCheckAction,
  isolateAction,
]

/** The action of a keyword; undefined for one that this agent does not know. */
export function actionTypeOf(type: string): ActionType | undefined {
  return actionTypes.find((candidate) => candidate.type === type)
}
