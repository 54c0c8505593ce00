/** What systemd says of one unit. */
export interface UnitState {
  readonly name: string
  /** `loaded`, `not-found`, `masked`, `bad-setting`, `error`. */
  readonly load: string
  /** `active`, `activating`, `inactive`, `failed`, `deactivating`. */
  readonly active: string
  /** The finer state: `running`, `exited`, `auto-restart`. */
  readonly sub: string
  /** Restarts since it was last started by someone or reset. */
  readonly restarts: number
  /** Whether systemd has something to do with it that waits for other units: one that is inactive is about to be started. */
  readonly queued: boolean
  /** Why it ended: `success`, `exit-code`, `signal`, `oom-kill`, `timeout`. */
  readonly result: string
  /** `enabled`, `generated`, `disabled`, `masked`. */
  readonly file: string
  /** When its state last changed, in seconds since boot; 0 when it never did. */
  readonly changedAtSeconds: number
  /** Whether its file changed after systemd read it. */
  readonly needsReload: boolean
  /** Files by which an administrator changed what was generated: drop-ins (`systemctl edit`), or a unit in its place (`systemctl edit --full`). */
  readonly edits: readonly string[]
}

/** Where administrators keep units. */
const administratorsDir = '/etc/systemd/'

const properties = [
  'Id',
  'LoadState',
  'ActiveState',
  'SubState',
  'NRestarts',
  'Result',
  'UnitFileState',
  'StateChangeTimestampMonotonic',
  'NeedDaemonReload',
  'Job',
  'FragmentPath',
  'DropInPaths',
]

/** Asks systemd for the states of units, also of such that it does not know. */
export function unitStatesArgv(names: readonly string[]): string[] {
  return ['systemctl', 'show', `--property=${properties.join(',')}`, ...names]
}

/** The states from the output of `unitStatesArgv`, by the unit's name. */
export function parseUnitStates(output: string): Map<string, UnitState> {
  const found = new Map<string, UnitState>()
  for (const block of output.split('\n\n')) {
    const values = Object.fromEntries(
      block
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    const name = values['Id']
    if (!name) continue
    found.set(name, {
      name,
      load: values['LoadState'] ?? '',
      active: values['ActiveState'] ?? '',
      sub: values['SubState'] ?? '',
      restarts: Number(values['NRestarts'] ?? 0) || 0,
      queued: Number(values['Job'] ?? 0) > 0,
      result: values['Result'] ?? '',
      file: values['UnitFileState'] ?? '',
      changedAtSeconds: Number(values['StateChangeTimestampMonotonic'] ?? 0) / 1e6 || 0,
      needsReload: values['NeedDaemonReload'] === 'yes',
      edits: editsIn(values),
    })
  }
  return found
}

function editsIn({ LoadState, FragmentPath = '', DropInPaths = '' }: Readonly<Record<string, string>>): string[] {
  // A masked unit is a link there that leads nowhere.
  const instead = LoadState === 'loaded' ? [FragmentPath] : []
  return [...instead, ...DropInPaths.split(' ')].filter((path) => path.startsWith(administratorsDir))
}
