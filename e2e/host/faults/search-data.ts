import { askSearch } from './ask-search.ts'
import { defineInjection, running, script } from './define-injection.ts'

export const replicas = defineInjection({
  fault: 'replicas',
  how: 'PUT /_settings {"index.number_of_replicas": 1}',
  evidence: /r UNASSIGNED/,
  async inject(host) {
    await askSearch(host, 'PUT', '/_settings', { 'index.number_of_replicas': 1 })
  },
})

export const diskBlock = defineInjection({
  fault: 'disk-block',
  how: 'an index gets the block that a full disk leaves behind',
  evidence: /fault-events: \[TOO_MANY_REQUESTS\/12\/disk usage exceeded flood-stage watermark/,
  async inject(host) {
    await askSearch(host, 'PUT', '/fault-events/_settings', { 'index.blocks.read_only_allow_delete': true })
  },
})

export const indexTemplates = defineInjection({
  fault: 'index-templates',
  how: 'a shipped index template is deleted',
  evidence: /logstack-winlogbeat: not there/,
  async inject(host) {
    await askSearch(host, 'DELETE', '/_index_template/logstack-winlogbeat')
  },
})

export const guessedIndices = defineInjection({
  fault: 'guessed-indices',
  how: 'an index is made while its template is not there',
  evidence: /logs-guessed-default is a plain index in the place of a data stream/,
  async inject(host) {
    const path = '/_index_template/logstack-logs'
    const { index_templates: templates } = JSON.parse(await askSearch(host, 'GET', path)) as {
      index_templates: { index_template: unknown }[]
    }
    await askSearch(host, 'DELETE', path)
    const event = { '@timestamp': new Date().toISOString(), host: { name: 'guessed' } }
    await askSearch(host, 'PUT', '/logs-guessed-default/_doc/1?refresh=true', event)
    await askSearch(host, 'PUT', path, templates[0]?.index_template)
  },
  async restore(host) {
    await askSearch(host, 'DELETE', '/_data_stream/logs-guessed-default')
  },
})

export const stateIndices = defineInjection({
  fault: 'state-indices',
  how: 'an index in which the alerter keeps silences is deleted, and a write makes it again',
  evidence: /\.logstack-alerts-silences: made by a write after it had been deleted/,
  async inject(host) {
    const silence = { from: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z', by: 'elastic', rule: 'none' }
    // Its own name, or after a repair that of the index which stands in for it.
    await askSearch(host, 'DELETE', '/.logstack-alerts-silences*?expand_wildcards=all')
    await askSearch(host, 'PUT', '/.logstack-alerts-silences/_doc/1?refresh=true', silence)
  },
})

export const addressFields = defineInjection({
  fault: 'address-fields',
  how: 'an index that maps source.ip as keyword gets a document with LOCAL there',
  evidence: /winlogbeat-11\.06\.2021: source\.ip is 'LOCAL' in 1 events/,
  async inject(host) {
    const mappings = { properties: { source: { properties: { ip: { type: 'keyword' } } } } }
    await askSearch(host, 'PUT', '/winlogbeat-11.06.2021', { mappings })
    await askSearch(host, 'PUT', '/winlogbeat-11.06.2021/_doc/1?refresh=true', { source: { ip: 'LOCAL' } })
  },
  async restore(host) {
    await askSearch(host, 'DELETE', '/winlogbeat-11.06.2021?ignore_unavailable=true')
  },
})

export const windowsForwarding = defineInjection({
  fault: 'windows-forwarding',
  how: 'an event of a Windows Server 2019 arrives that says 2150859027',
  evidence: /dc1 \(Windows Server 2019 10\.0\): 1 events/,
  isLeft: true,
  async inject(host) {
    await askSearch(host, 'PUT', '/winlogbeat-forwarding/_doc/1?refresh=true', {
      '@timestamp': new Date().toISOString(),
      message: 'The WinRM service cannot process the request: error code 2150859027',
      host: { name: 'dc1', os: { name: 'Windows Server 2019', version: '10.0', type: 'windows' } },
      winlog: { channel: 'Microsoft-Windows-WinRM/Operational' },
    })
  },
  async restore(host) {
    await askSearch(host, 'DELETE', '/winlogbeat-forwarding?ignore_unavailable=true')
  },
})

export const inputLoss = defineInjection({
  fault: 'input-losses',
  how: 'search gets the document that endpoint-manager writes of datagrams it could not read in time',
  evidence: /syslog: 7 lost, datagrams came faster than they were read/,
  isLeft: true,
  async inject(host) {
    await askSearch(host, 'POST', '/metrics-logstack.inputs-default/_doc?refresh=true', {
      '@timestamp': new Date().toISOString(),
      data_stream: { type: 'metrics', dataset: 'logstack.inputs', namespace: 'default' },
      logstack: { input: { name: 'syslog', place: 'kernel', lost: 7 } },
    })
  },
  async restore(host) {
    const name = 'metrics-logstack.inputs-default'
    if ((await askSearch(host, 'GET', '/_data_stream')).includes(name))
      await askSearch(host, 'DELETE', `/_data_stream/${name}`)
  },
})

const refusedSegment = '/var/lib/containers/storage/volumes/logstack_data_search/_data/segments/fault.refused'

export const refusedWrites = defineInjection({
  fault: 'refused-writes',
  how: 'a segment lies aside in the folder of search, as one that the engine refused (no content is known that it refuses)',
  evidence: /segments\/fault\.refused: 70000 bytes, of 20/,
  isLeft: true,
  inject: script(
    `head --bytes=70000 /dev/urandom >${refusedSegment}; chown --reference="$(dirname ${refusedSegment})" ${refusedSegment}`,
  ),
  restore: running('rm', '-f', refusedSegment),
})

const repositories = '/var/lib/containers/storage/volumes/logstack_data_search/_data/snapshots'

export const backupFails = defineInjection({
  fault: 'backups',
  how: 'a policy makes a snapshot into a repository whose folder a file took the place of',
  evidence: /fault-backup: fault-\S+ of \S+ in \[fault-repository\]: .*; there is no good one/,
  isLeft: true,
  async inject(host) {
    const folder = `${repositories}/fault-repository`
    await askSearch(host, 'PUT', '/_snapshot/fault-repository', {
      type: 'fs',
      settings: { location: 'fault-repository' },
    })
    await host.shell(`rm -r ${folder} && touch ${folder} && chown --reference="$(dirname ${folder})" ${folder}`)
    const policy = {
      schedule: '0 30 1 * * ?',
      name: '<fault-{now/d}>',
      repository: 'fault-repository',
      config: { indices: 'fault-events' },
    }
    await askSearch(host, 'PUT', '/_slm/policy/fault-backup', policy)
    await askSearch(host, 'POST', '/_slm/policy/fault-backup/_execute')
    for (let tries = 0; tries < 60; tries += 1)
      if ((await askSearch(host, 'GET', '/_slm/policy/fault-backup')).includes('last_failure')) return
    throw new Error('the snapshot did not fail')
  },
  async restore(host) {
    for (const [list, name] of [
      ['/_slm/policy', 'fault-backup'],
      ['/_snapshot', 'fault-repository'],
    ] as const)
      if ((await askSearch(host, 'GET', list)).includes(name)) await askSearch(host, 'DELETE', `${list}/${name}`)
    await host.shell(`rm -rf ${repositories}/fault-repository`)
  },
})
