import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { defaultDataDir, findDataDir, namedDataDir, runningStacks } from '../places/data-dir.ts'
import { hostHasStack } from '../places/host.ts'
import { type EmbeddedStack, openHostStack, openStack, type Stack, type StackChoices, useStack } from '../stack.ts'

/** What a command gets: where the programs are, the environment, and where its words go. */
export interface CommandContext {
  readonly programDir: string
  readonly env: NodeJS.ProcessEnv
  /** A line for whoever asked. */
  say(line: string): void
  /** A line about the work, which is no answer. */
  tell(line: string): void
}

/** Adds one command to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void

/** The global option every command may be given. */
export interface GlobalOptions {
  readonly data?: string
}

/** The stack a command is meant for: the installed one of this host, unless another was named or this user runs one. */
export function stackOf(command: Command, context: CommandContext): Stack {
  if (!meansHost(command, context)) return embeddedStackOf(command, context)
  requireRoot()
  return openHostStack({ programDir: context.programDir })
}

/** Does a command's work on the stack that is meant, and ends its connections afterwards. */
export function withStack<T>(
  command: Command,
  context: CommandContext,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  return useStack(() => stackOf(command, context), work)
}

/** The embedded stack a command is meant for; `not_supported` when it is this host's, which systemd runs. */
export function embeddedStackOf(command: Command, context: CommandContext): EmbeddedStack {
  if (meansHost(command, context)) {
    const message = `logstack ${command.name()} is for a stack that was started with ./logstack up; systemd runs the one of this host`
    throw new AppError(operatorErrors.not_supported, message, {
      fix: 'use systemctl stop|start|restart logstack.service, or name another stack with --data DIR',
    })
  }
  const { data } = command.optsWithGlobals<GlobalOptions>()
  return openStack({ dataDir: findDataDir(data, context.env), programDir: context.programDir })
}

function meansHost(command: Command, context: CommandContext): boolean {
  const { data } = command.optsWithGlobals<GlobalOptions>()
  return namedDataDir(data, context.env) === undefined && hostHasStack() && runningStacks(context.env).length === 0
}

/** `root_needed` for anyone else: the installed stack belongs to root. */
export function requireRoot(): void {
  if (process.getuid?.() === 0) return
  throw new AppError(operatorErrors.root_needed, 'the installed stack belongs to root', {
    fix: 'run it again with sudo',
  })
}

/** The stack that `up` starts: the named one or the default one, never another that happens to run. */
export function newStackOf(
  command: Command,
  context: CommandContext,
  given: { readonly [K in keyof StackChoices]?: StackChoices[K] | undefined },
): EmbeddedStack {
  const { data } = command.optsWithGlobals<GlobalOptions>()
  const dataDir = namedDataDir(data, context.env) ?? defaultDataDir(context.env)
  return openStack({ dataDir, programDir: context.programDir, given })
}
