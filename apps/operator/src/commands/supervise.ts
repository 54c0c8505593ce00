import type { Command } from 'commander'
import { supervise } from '../runtimes/process/supervise.ts'
import { embeddedStackOf, type RegisterCommand } from './command.ts'

/** `logstack supervise`: the process that owns the parts; started by `up`, not by people. */
export const registerSupervise: RegisterCommand = (program, context) => {
  program
    .command('supervise', { hidden: true })
    .description('own the processes of a stack (started by up)')
    .action((_options: unknown, command: Command) => supervise(embeddedStackOf(command, context)))
}
