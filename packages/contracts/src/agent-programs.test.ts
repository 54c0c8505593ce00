import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { agentRuntime, agentSystems, executableFor } from './agent-programs.ts'

const fileOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

it('is run with the same options by everything that starts it', () => {
  const built = JSON.parse(fileOf('tools/agent-runtimes.json')) as { options: string[]; runtimes: object }
  expect(built.options).toEqual(agentRuntime.options)
  expect(Object.keys(built.runtimes)).toEqual(agentSystems)
  const unit = fileOf('quadlet/logstack-agent.service')
  expect(unit).toContain(`node ${agentRuntime.options.join(' ')} /opt/`)
  for (const [name, value] of Object.entries(agentRuntime.environment))
    expect(unit).toContain(`Environment=${name}=${value}\n`)
})

it('names executables by system and machine', () => {
  expect(executableFor('linux', 'x64')).toBe('logstack-agent-linux-x64')
  expect(executableFor('win32', 'x64')).toBe('logstack-agent-windows-x64')
  expect(executableFor('darwin', 'arm64')).toBeUndefined()
})
