import { expect, test } from 'vitest'
import { ownAddress } from './kibana-address.ts'

const g = '_g=(filters:!(),refreshInterval:(pause:!f,value:10000),time:(from:now-7d,to:now))'

test.each([
  ['/app/dashboards', `#/view/a-b?${g}`, '/app/dashboards/a-b?from=now-7d&to=now&refresh=10000'],
  ['/app/kibana', '#/dashboard/a-b', '/app/dashboards/a-b'],
  ['/app/dashboards/here', '#/dashboard/a-b', '/app/dashboards/a-b'],
  ['/s/default/app/dashboards', '#/list', '/app/dashboards'],
  ['/app/discover', '#/view/saved-one', '/app/discover?saved=saved-one'],
  ['/app/kibana', '#/discover/saved-one', '/app/discover?saved=saved-one'],
  ['/app/security/alerts', '', '/app/alerts'],
  ['/app/management/kibana/objects', '', '/app/management/saved-objects'],
  ['/app/management/data/index_management/indices', '', '/app/management/indices'],
  ['/app/home', '#/', '/app/discover'],
])('%s%s is %s', (path, hash, own) => {
  expect(ownAddress(path, hash)).toBe(own)
})

test('what was looked for comes along', () => {
  const filter = "('$state':(store:globalState),meta:(negate:!t),query:(match_phrase:(host.name:web-1)))"
  const state = `_g=(filters:!(${filter}))&_a=(columns:!(message,host.name),index:'logs-*',query:(language:lucene,query:'a:1 OR b'),sort:!(!('@timestamp',asc)))`
  const [path = '', search = ''] = (ownAddress('/app/discover', `#/?${state}`) ?? '').split('?')
  expect(path).toBe('/app/discover')
  expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
    query: 'a:1 OR b',
    language: 'lucene',
    filters: '[{"field":"host.name","value":"web-1","negate":true,"pinned":true}]',
    index: 'logs-*',
    columns: 'message,host.name',
    sort: '@timestamp:asc',
  })
})

test('a query in ES|QL comes along as one', () => {
  const [, search = ''] = (
    ownAddress('/app/discover', "#/?_a=(dataSource:(type:esql),query:(esql:'FROM logs-* | LIMIT 10'))") ?? ''
  ).split('?')
  expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
    query: 'FROM logs-* | LIMIT 10',
    language: 'esql',
  })
})

test('our own addresses, and what cannot be read, stay as they are', () => {
  for (const [path, hash] of [
    ['/app/discover', ''],
    ['/app/discover', '#main'],
    ['/app/management/saved-objects', ''],
    ['/app/dashboards/a-b', ''],
  ] as const)
    expect(ownAddress(path, hash)).toBeUndefined()
  expect(ownAddress('/app/dashboards', '#/view/a?_g=((((')).toBe('/app/dashboards/a')
})
