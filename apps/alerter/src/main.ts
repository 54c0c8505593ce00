import { runPart } from '@logstack/part'
import { alerterSettings } from './settings.ts'
import { startAlerter } from './start-alerter.ts'

await runPart({ name: 'alerter', settings: alerterSettings, start: startAlerter })
