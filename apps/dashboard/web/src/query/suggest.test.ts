import { parseKql } from '@logstack/kql'
import { expect, test } from 'vitest'
import { kqlValue, namesLike, wantedAt } from './suggest.ts'

test.each([
  ['', 'field', '', 0],
  ['ho', 'field', 'ho', 0],
  ['event.outcome: failure and ho', 'field', 'ho', 27],
  ['not (us', 'field', 'us', 5],
  ['host.name:', 'value', '', 10],
  ['host.name: we', 'value', 'we', 11],
  ['host.name: "we', 'value', 'we', 11],
  ['host.name: (web-1 or "db', 'value', 'db', 21],
  ['host.name: (web-1 or d', 'value', 'd', 21],
  ['host.name: web-1 ', 'joint', '', 17],
  ['host.name: "a b" a', 'joint', 'a', 17],
  ['(a: 1) ', 'joint', '', 7],
])('after %j a %s is wanted', (text, kind, typed, from) => {
  expect(wantedAt(text, text.length)).toMatchObject({ kind, typed, from })
})

test.each(['"a phrase', 'bytes > ', 'bytes >= 10', 'host.name: web-1 x'])('after %j nothing is offered', (text) => {
  expect(wantedAt(text, text.length)).toBeUndefined()
})

test('the cursor decides, not the end', () => {
  expect(wantedAt('ho and user.name: x', 2)).toEqual({ kind: 'field', typed: 'ho', from: 0 })
})

test.each(['web-1', '10.0.0.1', 'a b', 'or', 'C:\\x "y"', '::1', 'ü', ''])('the value %j is read as it is', (text) => {
  expect(JSON.stringify(parseKql(`f: ${kqlValue(text)}`))).toContain(JSON.stringify(text).slice(1, -1))
})

test('names that begin with what was typed come first', () => {
  expect(namesLike(['agent.host', 'host.name', 'user'], 'HO', 5)).toEqual(['host.name', 'agent.host'])
  expect(namesLike(['a', 'ab', 'abc'], 'a', 2)).toEqual(['a', 'ab'])
})
