import { absentTables } from './cat/absent-tables.ts'
import { catHelp } from './cat/cat-help.ts'
import { clusterTables } from './cat/cluster-tables.ts'
import { indexTables } from './cat/index-tables.ts'
import { moreTables } from './cat/more-tables.ts'
import { shardTables } from './cat/shard-tables.ts'
import { snapshotTables } from './cat/snapshot-tables.ts'
import { templateTable } from './cat/template-table.ts'
import { threadPoolTable } from './cat/thread-pool-table.ts'
import { capabilitiesOf } from './cluster/capabilities.ts'
import { obeyClusterBlocks } from './cluster/cluster-blocks.ts'
import { clusterHealthRoute } from './cluster/cluster-health.ts'
import { clusterInfoRoutes } from './cluster/cluster-info.ts'
import { clusterRerouteRoute } from './cluster/cluster-reroute.ts'
import { clusterSettingsRoutes } from './cluster/cluster-settings.ts'
import { clusterStateRoute } from './cluster/cluster-state.ts'
import { clusterStatsRoute } from './cluster/cluster-stats.ts'
import { fleetCheckpointsRoute } from './cluster/fleet-checkpoints.ts'
import { geoipStatsRoute } from './cluster/geoip-stats.ts'
import { healthReportRoute } from './cluster/health-report.ts'
import { hotThreadsRoute } from './cluster/hot-threads.ts'
import { infoRoute } from './cluster/info.ts'
import { checkpointsRoute } from './cluster/logstack-checkpoints.ts'
import { healthRoute } from './cluster/logstack-health.ts'
import { migrationRoutes } from './cluster/migration.ts'
import { nodesInfoRoute } from './cluster/nodes-info.ts'
import { nodesStatsRoute } from './cluster/nodes-stats.ts'
import { nodesUsageRoutes } from './cluster/nodes-usage.ts'
import { resolveClusterRoute } from './cluster/resolve-cluster.ts'
import { taskRoutes } from './cluster/tasks.ts'
import { countUses } from './cluster/uses.ts'
import { votingExclusionRoutes } from './cluster/voting-exclusions.ts'
import type { Route } from './define-route.ts'
import { bulkRoute } from './documents/bulk.ts'
import { byQueryRoutes } from './documents/by-query.ts'
import { documentRoutes } from './documents/document.ts'
import { resizeRoutes } from './documents/resize.ts'
import { aliasRoutes } from './indices/aliases.ts'
import { dataStreamLifecycleRoutes } from './indices/data-stream-lifecycle.ts'
import { dataStreamStatsRoutes } from './indices/data-stream-stats.ts'
import { dataStreamRoutes } from './indices/data-streams.ts'
import { ilmIndexRoutes } from './indices/ilm-indices.ts'
import { ilmPolicyRoutes } from './indices/ilm-policies.ts'
import { indexAdminRoutes } from './indices/index-admin.ts'
import { indexBlockRoutes } from './indices/index-blocks.ts'
import { indexMaintenanceRoutes } from './indices/index-maintenance.ts'
import { indexSettingsRoutes } from './indices/index-settings.ts'
import { indexStatsRoute } from './indices/index-stats.ts'
import { mappingRoutes } from './indices/mapping.ts'
import { retentionRoutes } from './indices/retention.ts'
import { rolloverRoute } from './indices/rollover.ts'
import { shardReportRoutes } from './indices/shard-reports.ts'
import { simulateTemplateRoutes } from './indices/simulate-template.ts'
import { templateRoutes } from './indices/templates.ts'
import { enrichRoutes } from './ingest/enrich.ts'
import { ingestPipelineRoutes } from './ingest/ingest-pipelines.ts'
import { ingestSimulateRoute } from './ingest/ingest-simulate.ts'
import { rootRoute } from './resources/root.ts'
import { analyzeRoute } from './search/analyze.ts'
import { asyncSearchRoutes } from './search/async-search.ts'
import { countRoute } from './search/count.ts'
import { eqlSearchRoutes } from './search/eql-search.ts'
import { esqlRoutes } from './search/esql.ts'
import { executeScriptRoutes } from './search/execute-script.ts'
import { explainRoute } from './search/explain.ts'
import { fieldCapsRoute } from './search/field-caps.ts'
import { msearchRoute } from './search/msearch.ts'
import { pointInTimeRoutes } from './search/point-in-time.ts'
import { rankEvalRoute } from './search/rank-eval.ts'
import { scriptContextRoutes } from './search/script-contexts.ts'
import { scrollRoutes } from './search/scroll.ts'
import { searchRoute } from './search/search.ts'
import { searchShardsRoute } from './search/search-shards.ts'
import { searchTemplateRoutes } from './search/search-template.ts'
import { storedScriptRoutes } from './search/stored-scripts.ts'
import { termVectorRoutes } from './search/term-vectors.ts'
import { termsEnumRoute } from './search/terms-enum.ts'
import { validateRoute } from './search/validate.ts'
import { apiKeyRoutes } from './security/api-keys.ts'
import { applicationPrivilegeRoutes } from './security/application-privileges.ts'
import { privilegeRoutes } from './security/privileges.ts'
import { roleMappingRoutes } from './security/role-mappings.ts'
import { securityCacheRoutes } from './security/security-caches.ts'
import { securityRoleRoutes } from './security/security-roles.ts'
import { securityTokenRoutes } from './security/security-tokens.ts'
import { securityUserRoutes } from './security/security-users.ts'
import { serviceTokenRoutes } from './security/service-tokens.ts'
import { repositoryRoutes } from './snapshots/repositories.ts'
import { slmRoutes } from './snapshots/slm.ts'
import { snapshotRoutes } from './snapshots/snapshots.ts'

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
