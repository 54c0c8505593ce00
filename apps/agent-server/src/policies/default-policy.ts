import type { PolicyInput, PolicyStream } from '@logstack/contracts'

/** Rises whenever the shipped policy changes; a stored one that nobody edited follows. */
export const shippedPolicyVersion = 1

/** The id of the policy every agent gets unless its token says otherwise. */
export const defaultPolicyId = 'default'

const logs = (dataset: string) => ({ type: 'logs' as const, dataset })
const authPaths = ['/var/log/auth.log', '/var/log/secure']
const syslogPaths = ['/var/log/syslog', '/var/log/messages']
const metricSets = ['system.cpu', 'system.load', 'system.memory', 'system.filesystem', 'system.network']
const metricsPeriodMs = 10_000

const fileStreams: PolicyStream[] = [
  { id: 'file-auth', data_stream: logs('system.auth'), paths: authPaths },
  { id: 'file-syslog', data_stream: logs('system.syslog'), paths: syslogPaths },
  {
    id: 'file-other',
    data_stream: logs('file.log'),
    paths: ['/var/log/*.log'],
    exclude: [...authPaths, ...syslogPaths],
    extra: true,
  },
]

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

/** The inputs of the shipped policy: this host's journal, log files and metrics. */
export const defaultInputs: readonly PolicyInput[] = [
  input('journald', 'journald', 'Journal', [{ id: 'journald', data_stream: logs('system.journal'), first_hours: 24 }]),
  input('file', 'file', 'Log files', fileStreams),
  input('metrics', 'metrics', 'Host metrics', metricStreams),
]
