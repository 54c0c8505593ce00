import type { PolicyInput, PolicyStream } from '@logstack/contracts'

/** Rises whenever the shipped policy changes; a stored one that nobody edited follows. */
export const shippedPolicyVersion = 5

/** The id of the policy every agent gets unless its token says otherwise. */
export const defaultPolicyId = 'default'

const logs = (dataset: string) => ({ type: 'logs' as const, dataset })
const authPaths = ['/var/log/auth.log', '/var/log/secure']
const syslogPaths = ['/var/log/syslog', '/var/log/messages']
const metricSets = [
  'system.cpu',
  'system.load',
  'system.memory',
  'system.filesystem',
  'system.network',
  'system.process',
]
const metricsPeriodMs = 10_000
const inventoryParts = ['packages', 'ports', 'users', 'services', 'interfaces', 'hardware']
const inventoryPeriodMs = 60_000
const webLogs = (name: string) => [`/var/log/${name}/*.log`]

const fileStreams: PolicyStream[] = [
  { id: 'file-auth', data_stream: logs('system.auth'), paths: authPaths, journal_copies: 'skip' },
  { id: 'file-syslog', data_stream: logs('system.syslog'), paths: syslogPaths, journal_copies: 'skip' },
  { id: 'file-audit', data_stream: logs('auditd.log'), paths: ['/var/log/audit/audit.log'] },
  { id: 'file-nginx', data_stream: logs('nginx.access'), paths: webLogs('nginx') },
  { id: 'file-apache', data_stream: logs('apache.access'), paths: [...webLogs('apache2'), ...webLogs('httpd')] },
  { id: 'file-suricata', data_stream: logs('suricata.eve'), paths: ['/var/log/suricata/eve.json'] },
  {
    id: 'file-other',
    data_stream: logs('file.log'),
    paths: ['/var/log/*.log'],
    exclude: [...authPaths, ...syslogPaths],
    extra: true,
  },
]

// What decides who may do what on a host, and the programs themselves.
const guarded = [
  '/etc',
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/boot',
  '/root/.ssh',
]
// Files that programs rewrite all the time without anybody's doing.
const restless = ['/etc/mtab', '/etc/resolv.conf', '/etc/adjtime', '/etc/ld.so.cache']

const inventoryStreams: PolicyStream[] = inventoryParts.map((part) => ({
  id: `inventory-${part}`,
  data_stream: logs(`inventory.${part}`),
  period_ms: inventoryPeriodMs,
}))

const metricStreams: PolicyStream[] = metricSets.map((dataset) => ({
  id: `metrics-${dataset}`,
  data_stream: { type: 'metrics', dataset },
  period_ms: metricsPeriodMs,
}))

const input = (id: string, type: string, name: string, streams: PolicyStream[]): PolicyInput => ({
  id,
  name,
  type,
  use_output: 'default',
  data_stream: { namespace: 'default' },
  streams,
})

const fileIntegrityStreams: PolicyStream[] = [
  { id: 'file-integrity', data_stream: logs('file_integrity'), paths: guarded, exclude: restless },
]

const containerPaths = [
  '/var/lib/docker/containers/*/*-json.log',
  '/var/lib/containers/storage/overlay-containers/*/userdata/ctr.log',
]

const windowsChannels = {
  'windows.security': 'Security',
  'windows.system': 'System',
  'windows.application': 'Application',
  'windows.powershell_operational': 'Microsoft-Windows-PowerShell/Operational',
  'windows.defender': 'Microsoft-Windows-Windows Defender/Operational',
  'windows.sysmon_operational': 'Microsoft-Windows-Sysmon/Operational',
}
const windowsStreams: PolicyStream[] = Object.entries(windowsChannels).map(([dataset, channel]) => ({
  id: `windows-${dataset.slice('windows.'.length)}`,
  data_stream: logs(dataset),
  channel,
  first_hours: 24,
}))

/** What may be collected from a host unless its policy says otherwise: logs, and nothing that holds secrets. */
export const defaultCollectPaths = ['/var/log/**', '/etc/os-release']

/** The inputs of the shipped policy, for all systems (each agent leaves out what its own lacks): the host's journal or Windows Event Log, log files, containers, metrics, changed files, inventory and configuration. */
export const defaultInputs: readonly PolicyInput[] = [
  input('journald', 'journald', 'Journal', [{ id: 'journald', data_stream: logs('system.journal'), first_hours: 24 }]),
  input('windows_event_log', 'windows_event_log', 'Windows Event Log', windowsStreams),
  input('file', 'file', 'Log files', fileStreams),
  input('docker', 'docker', 'Containers', [{ id: 'docker', data_stream: logs('container'), paths: containerPaths }]),
  input('metrics', 'metrics', 'Host metrics', metricStreams),
  input('file_integrity', 'file_integrity', 'Changed files', fileIntegrityStreams),
  input('inventory', 'inventory', 'Inventory', inventoryStreams),
  input('checks', 'checks', 'Configuration checks', [{ id: 'checks', data_stream: logs('checks') }]),
]
