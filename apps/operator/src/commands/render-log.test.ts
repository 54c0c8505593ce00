import { expect, it } from 'vitest'
import { renderLogLine } from './render-log.ts'

it.each([
  [
    '{"level":"info","time":"2026-11-22T00:01:02.345Z","part":"search","msg":"ready","port":9200,"path":"/a b"}',
    '2026-11-22 00:01:02.345 INFO  ready port=9200 path="/a b"',
  ],
  [
    '{"level":"error","time":1795219262345,"msg":"it broke","fix":"mend it","err":{"message":"why","stack":"Error: why\\n    at here"}}',
    '2026-11-21 00:01:02.345 ERROR it broke (fix: mend it)\n    Error: why\n    at here',
  ],
  ['Error: not a log entry', 'Error: not a log entry'],
  ['{"broken', '{"broken'],
  ['{"no":"message"}', '{"no":"message"}'],
])('%s', (line, shown) => {
  expect(renderLogLine(line)).toBe(shown)
})
