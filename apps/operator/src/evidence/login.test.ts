import { expect, test } from 'vitest'
import { outcomeOf } from './login.ts'

const answer = (status: number, reason: string, type = 'security_exception') => {
  const body = { error: { type, reason }, status }
  return outcomeOf({ state: 'answered', status, body, text: JSON.stringify(body) })
}

test('only the 401 of a search that knows the user and not the password is a refusal', () => {
  const reason = 'unable to authenticate user [elastic] for REST request [/_security/_authenticate]'
  expect(answer(401, reason)).toEqual({ state: 'refused', reason })
  expect(answer(401, 'missing authentication credentials for REST request [/]').state).toBe('unknown')
  expect(answer(401, 'Unauthorized', '').state).toBe('unknown')
})

test('a slow-down, an outage and another program say nothing of the password', () => {
  const reason = 'too many failed logins of user [elastic] from this address, try again in 4 s'
  expect(answer(429, reason)).toEqual({ state: 'slowed', reason })
  expect(outcomeOf({ state: 'unreachable', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' })).toEqual({
    state: 'unknown',
    why: 'search does not answer: connect ECONNREFUSED',
  })
  expect(outcomeOf({ state: 'answered', status: 404, body: undefined, text: '<html>' }).state).toBe('unknown')
})

test('a login is accepted by who search says it was, never by a page that a proxy puts there', () => {
  const answered = (body: unknown) => outcomeOf({ state: 'answered', status: 200, body, text: '<html>' }).state
  expect(answered({ username: 'elastic', roles: ['superuser'] })).toBe('accepted')
  expect([answered(undefined), answered({}), answered([])]).toEqual(['unknown', 'unknown', 'unknown'])
})
