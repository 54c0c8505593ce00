import '@logstack/part/early-signals'
import { leaveSignals, runPart } from '@logstack/part'
import { commandOf, runCommand } from './commands/run-command.ts'
import { alerterSettings } from './settings.ts'
import { startAlerter } from './start-alerter.ts'

const command = commandOf(process.argv)
if (command) {
  leaveSignals()
  await runCommand(command)
} else await runPart({ name: 'alerter', settings: alerterSettings, start: startAlerter })
