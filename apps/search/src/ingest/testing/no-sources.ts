import type { PipelineSources } from '../define-processor.ts'
import { noGeoDatabases } from '../geo/databases.ts'

/** No stored scripts and no databases. */
export const noSources: PipelineSources = { scripts: () => undefined, databases: noGeoDatabases }
