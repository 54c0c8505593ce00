import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineSettings, LiveSettings, setting } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'logstack-settings-'))
const file = join(folder, 'part.yml')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const definition = defineSettings('part', {
  port: setting(z.number(), { default: 1, applies: 'restart', doc: 'Port.' }),
  interval_ms: setting(z.number(), { default: 1, applies: 'live', doc: 'Pause.' }),
})

test('a reload applies live keys at once, names those that wait, and an invalid file changes nothing', () => {
  const settings = new LiveSettings(definition, { file })
  const heard: number[] = []
  settings.onChange('interval_ms', (value) => heard.push(value))
  expect(settings.get('interval_ms')).toBe(1)

  writeFileSync(file, 'port: 2\ninterval_ms: 2\n')
  expect(settings.reload()).toEqual({ applied: ['interval_ms'], needRestart: ['port'] })
  expect([settings.get('interval_ms'), settings.get('port'), heard]).toEqual([2, 1, [2]])

  writeFileSync(file, 'interval_ms: three\n')
  expect(() => settings.reload()).toThrow(`${file}:1: setting [interval_ms] is "three"`)
  expect(settings.get('interval_ms')).toBe(2)
})
