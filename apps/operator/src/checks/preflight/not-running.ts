import { AppError, operatorErrors } from '@logstack/errors'
import { runningSupervisor } from '../../places/supervisor-state.ts'
import type { Preflight } from './preflight.ts'

/** Refuses a second start of the same stack. */
export const notRunning: Preflight = async ({ paths }) => {
  const state = runningSupervisor(paths)
  if (!state) return
  throw new AppError(
    operatorErrors.already_running,
    `logstack is already running in ${paths.root} (process ${state.supervisor.pid})`,
    { fix: 'look at it with ./logstack status; to start it otherwise, stop it first with ./logstack down' },
  )
}
