import { expect, it } from 'vitest'
import { documentId } from './document-id.ts'

it('is the same for the same event and sorts by time first', () => {
  const parts = { time: 1_700_000_000_000, counter: 'agent-spool', number: 35 }
  expect(documentId(parts)).toBe(documentId({ ...parts }))
  expect(documentId(parts)).toBe('018bcfe56800-agent-spool-000000000z')
  expect(documentId({ ...parts, time: parts.time + 1, counter: 'a' }) > documentId(parts)).toBe(true)
})
