import '@logstack/part/early-signals'
import { runPart } from '@logstack/part'
import { searchSettings } from './settings.ts'
import { startSearch } from './start-search.ts'

await runPart({ name: 'search', settings: searchSettings, start: startSearch })
