export {
  type PartCertificates,
  type PartEnvironment,
  readCertificates,
  readPartEnvironment,
  readSecret,
} from './environment.ts'
export { httpsProbe, type Probe } from './health-probe.ts'
export { checkSettingsFlag, type PartContext, type PartDefinition, type RunningPart, runPart } from './run-part.ts'
export { leaveSignals } from './starting-signals.ts'
