import { aliasRoutes } from './aliases.ts'
import { analyzeRoute } from './analyze.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { applicationPrivilegeRoutes } from './application-privileges.ts'
import { asyncSearchRoutes } from './async-search.ts'
import { bulkRoute } from './bulk.ts'
import { byQueryRoutes } from './by-query.ts'
import { capabilitiesOf } from './capabilities.ts'
import { absentTables } from './cat/absent-tables.ts'
import { catHelp } from './cat/cat-help.ts'
import { clusterTables } from './cat/cluster-tables.ts'
import { indexTables } from './cat/index-tables.ts'
import { moreTables } from './cat/more-tables.ts'
import { shardTables } from './cat/shard-tables.ts'
import { snapshotTables } from './cat/snapshot-tables.ts'
import { templateTable } from './cat/template-table.ts'
import { threadPoolTable } from './cat/thread-pool-table.ts'
import { obeyClusterBlocks } from './cluster-blocks.ts'
import { clusterHealthRoute } from './cluster-health.ts'
import { clusterInfoRoutes } from './cluster-info.ts'
import { clusterRerouteRoute } from './cluster-reroute.ts'
import { clusterSettingsRoutes } from './cluster-settings.ts'
import { clusterStateRoute } from './cluster-state.ts'
import { clusterStatsRoute } from './cluster-stats.ts'
import { countRoute } from './count.ts'
import { dataStreamLifecycleRoutes } from './data-stream-lifecycle.ts'
import { dataStreamStatsRoutes } from './data-stream-stats.ts'
import { dataStreamRoutes } from './data-streams.ts'
import type { Route } from './define-route.ts'
import { documentRoutes } from './document.ts'
import { enrichRoutes } from './enrich.ts'
import { eqlSearchRoutes } from './eql-search.ts'
import { esqlRoutes } from './esql.ts'
import { executeScriptRoutes } from './execute-script.ts'
import { explainRoute } from './explain.ts'
import { fieldCapsRoute } from './field-caps.ts'
import { fleetCheckpointsRoute } from './fleet-checkpoints.ts'
import { geoipStatsRoute } from './geoip-stats.ts'
import { healthReportRoute } from './health-report.ts'
import { hotThreadsRoute } from './hot-threads.ts'
import { ilmIndexRoutes } from './ilm-indices.ts'
import { ilmPolicyRoutes } from './ilm-policies.ts'
import { indexAdminRoutes } from './index-admin.ts'
import { indexBlockRoutes } from './index-blocks.ts'
import { indexMaintenanceRoutes } from './index-maintenance.ts'
import { indexSettingsRoutes } from './index-settings.ts'
import { indexStatsRoute } from './index-stats.ts'
import { infoRoute } from './info.ts'
import { ingestPipelineRoutes } from './ingest-pipelines.ts'
import { ingestSimulateRoute } from './ingest-simulate.ts'
import { checkpointsRoute } from './logstack-checkpoints.ts'
import { healthRoute } from './logstack-health.ts'
import { mappingRoutes } from './mapping.ts'
import { migrationRoutes } from './migration.ts'
import { msearchRoute } from './msearch.ts'
import { nodesInfoRoute } from './nodes-info.ts'
import { nodesStatsRoute } from './nodes-stats.ts'
import { nodesUsageRoutes } from './nodes-usage.ts'
import { pointInTimeRoutes } from './point-in-time.ts'
import { privilegeRoutes } from './privileges.ts'
import { rankEvalRoute } from './rank-eval.ts'
import { repositoryRoutes } from './repositories.ts'
import { resizeRoutes } from './resize.ts'
import { resolveClusterRoute } from './resolve-cluster.ts'
import { retentionRoutes } from './retention.ts'
import { roleMappingRoutes } from './role-mappings.ts'
import { rolloverRoute } from './rollover.ts'
import { rootRoute } from './root.ts'
import { scriptContextRoutes } from './script-contexts.ts'
import { scrollRoutes } from './scroll.ts'
import { searchRoute } from './search.ts'
import { searchShardsRoute } from './search-shards.ts'
import { searchTemplateRoutes } from './search-template.ts'
import { securityCacheRoutes } from './security-caches.ts'
import { securityRoleRoutes } from './security-roles.ts'
import { securityTokenRoutes } from './security-tokens.ts'
import { securityUserRoutes } from './security-users.ts'
import { serviceTokenRoutes } from './service-tokens.ts'
import { shardReportRoutes } from './shard-reports.ts'
import { simulateTemplateRoutes } from './simulate-template.ts'
import { slmRoutes } from './slm.ts'
import { snapshotRoutes } from './snapshots.ts'
import { storedScriptRoutes } from './stored-scripts.ts'
import { taskRoutes } from './tasks.ts'
import { templateRoutes } from './templates.ts'
import { termVectorRoutes } from './term-vectors.ts'
import { termsEnumRoute } from './terms-enum.ts'
import { countUses } from './uses.ts'
import { validateRoute } from './validate.ts'
import { votingExclusionRoutes } from './voting-exclusions.ts'

const catTables: readonly Route[] = [
  ...snapshotTables,
  ...clusterTables,
  ...indexTables,
  templateTable,
  threadPoolTable,
  ...moreTables,
  ...absentTables,
  ...shardTables,
]

const unguarded: readonly Route[] = [
  rootRoute,
  healthRoute,
  clusterHealthRoute,
  healthReportRoute,
  ...clusterInfoRoutes,
  infoRoute,
  ...migrationRoutes,
  nodesInfoRoute,
  nodesStatsRoute,
  hotThreadsRoute,
  ...nodesUsageRoutes,
  ...clusterSettingsRoutes,
  clusterStateRoute,
  clusterRerouteRoute,
  ...votingExclusionRoutes,
  clusterStatsRoute,
  ...shardReportRoutes,
  ...repositoryRoutes,
  ...snapshotRoutes,
  ...slmRoutes,
  ...catTables,
  catHelp(catTables),
  ...indexAdminRoutes,
  ...indexSettingsRoutes,
  ...indexBlockRoutes,
  ...resizeRoutes,
  ...mappingRoutes,
  ...aliasRoutes,
  resolveClusterRoute,
  ...indexMaintenanceRoutes,
  analyzeRoute,
  indexStatsRoute,
  rolloverRoute,
  ...templateRoutes,
  ...simulateTemplateRoutes,
  ...dataStreamRoutes,
  ...dataStreamStatsRoutes,
  ...ilmPolicyRoutes,
  ...ilmIndexRoutes,
  ...dataStreamLifecycleRoutes,
  ...retentionRoutes,
  ...storedScriptRoutes,
  ...executeScriptRoutes,
  ...scriptContextRoutes,
  ...ingestPipelineRoutes,
  ingestSimulateRoute,
  geoipStatsRoute,
  ...enrichRoutes,
  bulkRoute,
  ...documentRoutes,
  ...byQueryRoutes,
  ...taskRoutes,
  fleetCheckpointsRoute,
  checkpointsRoute,
  searchRoute,
  ...asyncSearchRoutes,
  ...eqlSearchRoutes,
  searchShardsRoute,
  msearchRoute,
  ...searchTemplateRoutes,
  rankEvalRoute,
  explainRoute,
  ...termVectorRoutes,
  countRoute,
  ...esqlRoutes,
  fieldCapsRoute,
  termsEnumRoute,
  ...scrollRoutes,
  ...pointInTimeRoutes,
  validateRoute,
  ...securityUserRoutes,
  ...securityRoleRoutes,
  ...securityTokenRoutes,
  ...apiKeyRoutes,
  ...roleMappingRoutes,
  ...serviceTokenRoutes,
  ...privilegeRoutes,
  ...applicationPrivilegeRoutes,
  ...securityCacheRoutes,
]

/** Every endpoint of search. The server, the compatibility table and the security matrix read this list and no other. */
export const routes: readonly Route[] = [...unguarded, capabilitiesOf(unguarded)].map(obeyClusterBlocks).map(countUses)
