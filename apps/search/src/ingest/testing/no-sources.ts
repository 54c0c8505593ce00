import { noEnrichTables } from '../../enrich/lookup.ts'
import type { PipelineSources } from '../define-processor.ts'
import { noGeoDatabases } from '../geo/databases.ts'

/** No stored scripts, no databases and no policies. */
export const noSources: PipelineSources = {
  scripts: () => undefined,
  databases: noGeoDatabases,
  enrich: noEnrichTables,
}
