export { askLocal, serveLocal } from './local-socket.ts'
export { type CommandOptions, type CommandResult, runCommand } from './run-command.ts'
export { streamLines } from './stream-lines.ts'
