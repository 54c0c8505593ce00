import { expect, test } from 'vitest'
import { agentsQuestion, wazuhAgentsQuestion } from './agents-question.ts'

test('the list asks for some of all agents, and for how many there are', () => {
  expect(agentsQuestion('', null)).toMatchObject({
    size: 500,
    track_total_hits: true,
    query: { bool: { filter: [{ term: { active: true } }] } },
  })
})

test('what is typed is a part of a name, whatever letters it has', () => {
  const { query } = agentsQuestion('a*b?c\\d', 'offline') as { query: { bool: { filter: unknown[] } } }
  expect(query.bool.filter.slice(1)).toEqual([
    { wildcard: { host_name: { value: '*a\\*b\\?c\\\\d*', case_insensitive: true } } },
    { term: { status: 'offline' } },
  ])
})

test('Wazuh agents are asked for without their keys, by what their state is made of', () => {
  const now = Date.parse('2026-11-28T08:03:00.000Z')
  expect(wazuhAgentsQuestion('', null, now)).toMatchObject({
    _source: { excludes: ['key'] },
    query: { bool: { filter: [] } },
  })
  const { query } = wazuhAgentsQuestion('pc*', 'active', now) as { query: { bool: { filter: unknown[] } } }
  expect(query.bool.filter).toEqual([
    { wildcard: { name: { value: '*pc\\**', case_insensitive: true } } },
    { bool: { filter: [{ term: { connected: true } }, { range: { last_seen: { gt: '2026-11-28T08:00:00.000Z' } } }] } },
  ])
})
