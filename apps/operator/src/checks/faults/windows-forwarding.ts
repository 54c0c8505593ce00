import { z } from 'zod'
import { bucketsAnswer, hitsAnswer } from '../../evidence/answer-shape.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { defineFault } from './define-fault.ts'

const hostSchema = z.object({
  key: z.string(),
  doc_count: z.number(),
  newest: hitsAnswer(z.record(z.string(), z.unknown())),
})
const answer = bucketsAnswer('hosts', hostSchema)
type HostBucket = z.infer<typeof hostSchema>

const guide = 'https://support.microsoft.com/help/4494462'
const hostsMax = 50

// The number is 0x80338012 as Windows logs it: the server cannot be reached on its HTTP URL.
const signs = [
  { match_phrase: { message: '2150859027' } },
  { term: { 'event.code': '2150859027' } },
  { match_phrase: { message: 'HTTP URLs are not available' } },
  { match_phrase: { message: 'HTTP URLs are unavailable' } },
]
const fromWindows = [{ exists: { field: 'winlog.channel' } }, { term: { 'host.os.type': 'windows' } }]

/** Windows hosts (Server 2016 or newer) whose event forwarding cannot open its HTTP URL: their logs say 2150859027. */
export const windowsForwarding = defineFault<{ readonly hosts: readonly string[] }>({
  name: 'windows-forwarding',
  title: 'Windows event forwarding',
  async diagnose(context) {
    const found = await askSearch(context, {
      answer,
      path: '/logs-*,winlogbeat-*/_search?ignore_unavailable=true&allow_no_indices=true',
      body: {
        size: 0,
        query: {
          bool: {
            filter: [
              { range: { '@timestamp': { gte: 'now-24h' } } },
              { bool: { should: signs, minimum_should_match: 1 } },
              { bool: { should: fromWindows, minimum_should_match: 1 } },
            ],
          },
        },
        aggs: {
          hosts: {
            terms: { field: 'host.name', size: hostsMax },
            aggs: { newest: { top_hits: { size: 1, _source: ['host', 'message', '@timestamp'] } } },
          },
        },
      },
    })
    const hosts = found ?? []
    if (hosts.length === 0) return { status: 'healthy', detail: 'no host reported 2150859027 in 24 hours' }
    return {
      status: 'fault',
      problem: `${hosts.length === 1 ? 'a Windows host reports' : `${hosts.length} Windows hosts report`} error 2150859027: ${hosts.map(({ key }) => key).join(', ')}`,
      evidence: hosts.map(
        (bucket) => `${bucket.key}${versionOf(bucket)}: ${bucket.doc_count} events, the last: ${messageOf(bucket)}`,
      ),
      meaning: 'these hosts cannot forward or collect events over their HTTP URL, so their logs are incomplete',
      found: { hosts: hosts.map(({ key }) => key) },
    }
  },
  plan: (_context, { hosts }) => [`# on ${hosts.join(', ')}: follow ${guide}`],
})

function versionOf({ newest }: HostBucket): string {
  const host = newest.hits.hits[0]?._source['host'] as { os?: { name?: string; version?: string } } | undefined
  const words = [host?.os?.name, host?.os?.version].filter((word) => word !== undefined)
  return words.length === 0 ? '' : ` (${words.join(' ')})`
}

function messageOf({ newest }: HostBucket): string {
  const message = newest.hits.hits[0]?._source['message']
  return typeof message === 'string' ? (message.split('\n')[0]?.slice(0, 200) ?? '') : 'without a message'
}
