import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { failed, passed } from '../checks/define-check.ts'
import type { Step } from '../steps/define-step.ts'
import { renderFix } from '../telling/render-fix.ts'
import { yamlProblem } from '../telling/yaml-problem.ts'
import { type ProgressOutput, stepReporter } from './progress.ts'
import { requireSetUp } from './require-set-up.ts'
import { renderSources } from './rules.ts'
import { registerUninstall } from './uninstall.ts'
import { renderResult } from './verify.ts'

describe('a line of verify', () => {
  it('says ok with the evidence, or what failed and what to do', () => {
    expect(renderResult({ name: 'login', title: 'login', outcome: passed('[elastic]') })).toBe(
      'ok      login                  [elastic]',
    )
    expect(renderResult({ name: 'login', title: 'login', outcome: failed('401', 'do this') })).toBe(
      'FAILED  login                  401\n                               fix: do this',
    )
  })
})

describe('verify', () => {
  it('says in one sentence that nothing was set up yet', () => {
    expect(() => requireSetUp('/nowhere/logstack')).toThrow('there is no stack in /nowhere/logstack yet')
    expect(() => requireSetUp('')).not.toThrow()
  })
})

describe('uninstall', () => {
  it.each([
    [['--data', '/srv/x', 'uninstall', '--yes'], {}],
    [['uninstall', '--yes'], { LOGSTACK_DATA: '/srv/x' }],
  ])('removes nothing of the host when %j names another stack', async (words, env) => {
    const program = new Command('logstack').option('--data <dir>')
    registerUninstall(program, { programDir: '/nowhere', env, say: () => undefined, tell: () => undefined })
    await expect(program.parseAsync(words, { from: 'user' })).rejects.toMatchObject({
      code: 'option_invalid',
      message: expect.stringContaining('not the one in /srv/x'),
    })
  })
})

describe('rules import', () => {
  it('counts the rules of each log source that is not here, most first', () => {
    const files = [['aws'], ['okta'], ['okta', 'aws'], [], ['azure', 'okta']]
    expect(renderSources(files.map((unknownSources) => ({ unknownSources })))).toEqual([
      'no such log source here: okta: 3 rules',
      'no such log source here: aws: 2 rules',
      'no such log source here: azure: 1 rule',
    ])
  })
})

describe('config check', () => {
  it('says in one line where a text is no YAML', () => {
    expect(yamlProblem('search.yml', 'http.port: 1\npaths: [1\n')).toMatch(/^search\.yml:3: [^\n]+$/)
    expect(yamlProblem('search.yml', '# all defaults\n')).toBeUndefined()
  })
})

describe('a fix', () => {
  it.each([
    [undefined, './logstack up'],
    ['/srv/x', './logstack --data /srv/x up'],
    ["/it's here", "./logstack --data '/it'\\''s here' up"],
  ])('for the stack in %s is %s', (dataDir, fix) => {
    expect(renderFix('./logstack up', { dataDir })).toBe(fix)
  })

  it.each([
    ['./logstack up --detach', 'sudo systemctl start logstack.service'],
    ['renew them with: ./logstack down && ./logstack up', 'renew them with: sudo logstack install --yes'],
    [
      './logstack logs search, then ./logstack restart search',
      'sudo logstack logs search, then sudo logstack restart search',
    ],
  ])('%s is, on a host, %s', (fix, onHost) => {
    expect(renderFix(fix, { onHost: true })).toBe(onHost)
  })
})

describe('progress', () => {
  const step = { title: 'certificates' } as Step
  const shown = (isTerminal: boolean): string => {
    let text = ''
    const output: ProgressOutput = { isTerminal, write: (piece) => (text += piece) }
    let now = 1_000
    const reporter = stepReporter(output, () => now)
    const progress = reporter.begin(step, 3, 16)
    now += 2_000
    progress.waiting('for search')
    reporter.end(step, { changed: true, elapsedMs: 2_000 })
    return text
  }

  it('is one line a step where nobody watches', () => {
    expect(shown(false)).toBe(`${'[ 3/16] certificates'.padEnd(44)} done 2.0 s\n`)
  })

  it('is redrawn on a terminal, with what is waited for', () => {
    expect(
      shown(true)
        .split('\r\x1b[K')
        .map((line) => line.trim().replace(/ +/g, ' ')),
    ).toEqual(['', '[ 3/16] certificates', '[ 3/16] certificates 2.0 s for search', '[ 3/16] certificates done 2.0 s'])
  })
})
