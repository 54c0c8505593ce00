import { defineErrors } from './entry.ts'

/** Errors reported by operator. */
export const operatorErrors = defineErrors({
  command_failed: ['internal', 'an outside command ended with an exit code that means failure'],
  command_timed_out: ['timeout', 'an outside command did not end within its limit'],
  command_missing: ['not-found', 'an outside command is not installed or may not be run'],
  definition_invalid: ['invalid', 'a container definition is missing or has a line that cannot be read'],
  vault_unreadable: ['invalid', 'a vault file is missing, damaged, or was written with another key'],
  file_invalid: ['invalid', 'a file that the operator, or podman, keeps is cut off, overwritten, or of another shape'],
  secret_missing: ['not-found', 'the vault has no secret of the name that is needed'],
  password_undecided: [
    'unavailable',
    'a change of a password was cut off; both passwords are kept until search can be asked',
  ],
  authority_lost: [
    'invalid',
    "half of the stack's certificate authority is lost: another one would lock every agent out",
  ],
  operator_busy: ['conflict', 'another operator command holds the lock'],
  already_running: ['conflict', 'the stack is already running'],
  not_running: ['unavailable', 'the stack, or the part asked for, is not running'],
  port_in_use: ['conflict', 'another process listens on a port the stack needs'],
  disk_space_low: ['unavailable', 'the data folder has too little free space to start'],
  folder_unwritable: ['forbidden', 'a folder the stack writes to cannot be written'],
  option_invalid: ['invalid', 'a command was given a value it cannot use'],
  part_failed: ['unavailable', 'a part ended while it started, or did not become ready in time'],
  step_unproven: ['internal', 'a step was applied, but reading it back did not show its effect'],
  part_refused: ['internal', 'a part answered a request of the operator with an error'],
  part_unreachable: ['unavailable', 'a part did not answer a request of the operator'],
  not_supported: ['unsupported', 'a command does not apply to this runtime'],
  file_forbidden: ['forbidden', 'a file of the stack belongs to another user than who runs the command'],
  file_unusable: ['invalid', 'a file or folder that a command reads or writes is not there, or is of another kind'],
  root_needed: ['forbidden', 'a command that changes the host was not run as root'],
  host_unfit: ['unsupported', 'the host lacks something an installation needs'],
  verify_failed: ['unavailable', 'at least one line of verify failed'],
  rules_refused: ['invalid', 'a rule file, or what a channel was given, cannot be used'],
  faults_found: ['unavailable', 'doctor found a fault, could not mend one, or could not look at everything'],
})
