export { accountOf, type IndexGrant, type ServiceAccount, serviceAccounts } from './accounts.ts'
export {
  type Advisory,
  advisoriesIndex,
  advisorySchema,
  distributionFamilies,
  distributionOf,
  formatOf,
  type PackageFormat,
  type VulnerabilitySeverity,
} from './advisory.ts'
export {
  type OrderedAction,
  type OrderedActionStatus,
  type OrderedActionType,
  orderActionSchema,
  orderedActions,
  orderedActionTypes,
  rolloutSchema,
  upgradeDataSchema,
} from './agent-actions.ts'
export * from './agent-api.ts'
export {
  type AgentCatalogue,
  type AgentExecutable,
  agentCatalogueSchema,
  agentExecutables,
  agentRuntime,
  executableFor,
} from './agent-programs.ts'
export {
  type AlertDocument,
  type AlertNotification,
  type AlertRule,
  type AlertSeverity,
  type AlertSilence,
  type AlertStatus,
  alertDocumentSchema,
  alerterStateIndex,
  alertRuleSchema,
  alertRulesIndex,
  alertSeverities,
  alertSilenceSchema,
  alertSilencesIndex,
  alertStatuses,
  alertsIndex,
  type RuleTrial,
  ruleTrialSchema,
  ruleTrialsIndex,
  type StoredRule,
  storedRuleSchema,
  storedRulesIndex,
  type TriedRule,
  triedRuleSchema,
} from './alert.ts'
export {
  type HealthDocument,
  type HealthStatus,
  healthDocumentSchema,
  healthIndex,
  healthStatuses,
} from './health.ts'
export { containerName, type PartName, parts, startOrder } from './parts.ts'
export {
  defaultNamespace,
  type SavedObject,
  type SavedObjectDocument,
  type SavedObjectReference,
  savedObjectsIndex,
} from './saved-object.ts'
export { type StateIndex, stateIndices } from './state-indices.ts'
export {
  type WazuhAgent,
  type WazuhAgentStatus,
  wazuhAgentIdSchema,
  wazuhAgentNameSchema,
  wazuhAgentSchema,
  wazuhAgentStatus,
  wazuhAgentsIndex,
  wazuhSilentMs,
} from './wazuh-agent.ts'
