import { describe, expect, it } from 'vitest'
import { createApiKey, keyMatches, readApiKey } from './api-key.ts'

describe('api keys', () => {
  it('are read back from the header and match only their own hash', () => {
    const made = createApiKey()
    const read = readApiKey(`ApiKey ${made.encoded}`)
    expect(read?.id).toBe(made.id)
    expect(keyMatches(read?.key ?? '', made.sha256)).toBe(true)
    expect(keyMatches(read?.key ?? '', createApiKey().sha256)).toBe(false)
  })

  it.each([
    undefined,
    '',
    'Basic eDp5',
    'ApiKey',
    'ApiKey !!!',
    `ApiKey ${Buffer.from('no colon').toString('base64')}`,
  ])('are not found in %j', (header) => {
    expect(readApiKey(header)).toBeUndefined()
  })

  it('does not throw on a kept hash that is no hash', () => {
    expect(keyMatches('x', '')).toBe(false)
  })
})
