import { expect, test } from 'vitest'
import { searchPath } from './search-path.ts'

test.each([
  ['_cluster/health?filter_path=status,*_shards&pretty', '/_cluster/health?filter_path=status,*_shards&pretty'],
  ['/_cat/shards?v=true&h=index,shard&s=state', '/_cat/shards?v=true&h=index,shard&s=state'],
  ['<logs-{now/d}>/_search', '/%3Clogs-%7Bnow/d%7D%3E/_search'],
  ['logs-*/../_security/user', '/_security/user'],
])('%s is requested as %s', (typed, path) => {
  expect(searchPath(typed)).toBe(path)
})

test.each(['', '  ', 'https://example.com/', '//example.com/x', 'a\nb'])('[%s] is refused', (typed) => {
  expect(() => searchPath(typed)).toThrow(/without an address/)
})
