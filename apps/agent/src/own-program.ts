import { realpathSync } from 'node:fs'
import { isSea } from 'node:sea'
import { type AgentExecutable, agentRuntime, executableFor } from '@logstack/contracts'

/** The name of the executable that runs; undefined for the script that a host's Node.js runs. */
export function ownExecutable(): AgentExecutable | undefined {
  return isSea() ? executableFor(process.platform, process.arch) : undefined
}

/** The file of the program that runs. */
export function ownProgram(): string {
  return realpathSync(isSea() ? process.execPath : (process.argv[1] ?? ''))
}

/** The command that runs this program, word by word. An executable has its options in it. */
export function ownCommand(): string[] {
  return isSea() ? [ownProgram()] : [process.execPath, ...agentRuntime.options, ownProgram()]
}
