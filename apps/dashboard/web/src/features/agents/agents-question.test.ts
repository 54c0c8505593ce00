import { expect, test } from 'vitest'
import { agentsQuestion } from './agents-question.ts'

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
