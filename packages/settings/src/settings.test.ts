import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineSettings, loadSettings, readSettingsText, setting } from './index.ts'

const definition = defineSettings('search', {
  'http.port': setting(z.number().int().min(0).max(65_535), { default: 9200, applies: 'restart', doc: 'Port.' }),
  'flush.interval_ms': setting(z.number().int().positive(), { default: 5, applies: 'live', doc: 'Pause.' }),
  paths: setting(z.array(z.string()), { default: [], applies: 'live', doc: 'Paths.' }),
})
const read = (text: string): Record<string, unknown> =>
  Object.fromEntries([...readSettingsText(definition, text, 'search.yml')].map(([key, { value }]) => [key, value]))
const readBad = (text: string): unknown => {
  try {
    return read(text)
  } catch (thrown) {
    return thrown
  }
}

describe('the text of a settings file', () => {
  test('nested and dotted keys mean the same', () => {
    expect(read('http:\n  port: 1\n')).toEqual({ 'http.port': 1 })
    expect(read('http.port: 1\n')).toEqual({ 'http.port': 1 })
  })

  test('lists are values, an empty file is no setting', () => {
    expect(read('paths: [a, b]\n')).toEqual({ paths: ['a', 'b'] })
    expect(read('# nothing\n')).toEqual({})
  })

  test('an unknown key is refused with its line and a near name', () => {
    expect(readBad('paths: []\nprot: 1\nhttp:\n  prt: 2\n')).toMatchObject({
      code: 'settings_invalid',
      message: 'search.yml:2: unknown setting [prot] of search',
    })
    expect(readBad('http.prot: 1\n')).toMatchObject({ message: expect.stringContaining('did you mean [http.port]?') })
    expect(readBad('port: 1\n')).toMatchObject({ message: expect.stringContaining('did you mean [http.port]?') })
  })

  test('a text that is no YAML, or no mapping, is refused', () => {
    expect(readBad('http: [')).toMatchObject({
      code: 'settings_invalid',
      message: expect.stringContaining('search.yml'),
    })
    // One line, so that it reads well in a list of messages.
    expect(readBad('http.port: 1\npaths: [1\n')).toMatchObject({
      message: expect.stringMatching(/search\.yml:3: [^\n]+$/),
    })
    expect(readBad('- a\n')).toMatchObject({ code: 'settings_invalid' })
    expect(readBad('paths: []\npaths: []\n')).toMatchObject({ code: 'settings_invalid' })
  })
})

describe('loaded settings', () => {
  test('an environment variable goes before the default', () => {
    const values = loadSettings(definition, { env: { LOGSTACK_SEARCH_HTTP_PORT: '9300' } })
    expect(values).toEqual({ 'http.port': 9300, 'flush.interval_ms': 5, paths: [] })
  })

  test('a value that is not allowed is refused with its source and key', () => {
    const load = (): unknown => loadSettings(definition, { env: { LOGSTACK_SEARCH_HTTP_PORT: '70000' } })
    expect(load).toThrow(/^LOGSTACK_SEARCH_HTTP_PORT: setting \[http\.port\] is 70000: /)
  })
})
