import { describe, expect, it } from 'vitest'
import { parseKql } from './parse.ts'
import { equationIn, slipsOf } from './slips.ts'

const types = new Map(
  Object.entries({
    '@timestamp': 'date',
    'host.name': 'keyword',
    'host.hostname': 'keyword',
    message: 'text',
    'event.outcome': 'keyword',
    'source.ip': 'ip',
    labels: 'flattened',
    'user.name': 'keyword',
  }),
)
const slips = (text: string) => slipsOf(parseKql(text), types)

describe('a field that no index maps', () => {
  it.each([
    ['host.nam: web1', 'host.nam', 'host.name'],
    ['Host.Name: web1', 'Host.Name', 'host.name'],
    ['host_name: web1', 'host_name', 'host.name'],
    ['hostname: web1', 'hostname', 'host.name'],
    ['outcome: failure', 'outcome', 'event.outcome'],
    ['event.otcome: failure', 'event.otcome', 'event.outcome'],
    ['nothing.like.it > 5', 'nothing.like.it', undefined],
    ['host.name: a and not colour: *', 'colour', undefined],
  ])('of %s is told, with the near name', (text, field, near) => {
    expect(slips(text)).toEqual([{ kind: 'unknown-field', field, near }])
  })

  it.each(['host.name: a', 'labels.colour: red', '_index: logs*', 'host.*: a', 'web1', '*: a', '"no.field"'])(
    'is not seen in %s',
    (text) => {
      expect(slips(text)).toEqual([])
    },
  )

  it('is told as a group where it is one, in nested queries with its path', () => {
    expect(slips('host: web1')).toEqual([{ kind: 'group', field: 'host', member: 'host.name' }])
    expect(slips('user:{ nme: ann }')).toEqual([{ kind: 'unknown-field', field: 'user.nme', near: 'user.name' }])
  })

  it('is unknown to nobody before the fields are known', () => {
    expect(slipsOf(parseKql('anything: 1'), new Map())).toEqual([])
  })

  it('is told once, and three of them at most', () => {
    expect(slips('colour: 1 or colour: 2')).toHaveLength(1)
    expect(slips('a: 1 or b: 2 or c: 3 or d: 4')).toHaveLength(3)
  })
})

describe('an equals sign', () => {
  it.each([
    ['host.name = web1', 'host.name: web1'],
    ['host.name == web1', 'host.name: web1'],
    ['host.name!=web1', 'not host.name: web1'],
    ["message: x and user.name = 'ann'", 'user.name: "ann"'],
  ])('in %s is told with what KQL writes', (text, write) => {
    expect(slips(text)).toEqual([{ kind: 'equals', write }])
  })

  it('after a word that is no field is part of a text', () => {
    expect(slips('uid=0')).toEqual([])
    expect(slips('message: uid=0')).toEqual([])
    expect(slips('"host.name = web1"')).toEqual([])
  })

  it('before quotes is why a text cannot be read', () => {
    expect(() => parseKql('host.name="web 1"')).toThrow()
    expect(equationIn('host.name="web 1"')).toEqual({ kind: 'equals', write: 'host.name: "web 1"' })
    expect(equationIn('host.name: (a')).toBeUndefined()
  })
})

describe('a value', () => {
  it.each([
    ["host.name: 'web1'", { kind: 'single-quotes', write: 'host.name: "web1"' }],
    ['host.name: "web-*"', { kind: 'star-in-quotes', write: 'host.name: web-*' }],
    ['message: *failed password*', { kind: 'spaced-wildcard', field: 'message', write: 'message: "failed password"' }],
  ])('as in %s is told with what is probably meant', (text, slip) => {
    expect(slips(text)).toEqual([slip])
  })

  it.each(['message: *foo', 'host.name: web*', 'host.name: *a b*', 'message: "a * b"', "message: it's", 'message: *'])(
    'as in %s may well be found',
    (text) => {
      expect(slips(text)).toEqual([])
    },
  )
})
