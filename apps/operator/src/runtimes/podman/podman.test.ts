import type { runCommand } from '@logstack/process'
import { describe, expect, it } from 'vitest'
import { journalArgv } from '../../systemd/argv.ts'
import { listingLine } from '../runtime.ts'
import { parseListing } from './parse-listing.ts'
import { PodmanRuntime } from './podman-runtime.ts'

function recorded(stdout: string | ((argv: readonly string[]) => string) = '') {
  const calls: { argv: readonly string[]; timeoutMs: number }[] = []
  const run: typeof runCommand = async (argv, { timeoutMs }) => {
    calls.push({ argv, timeoutMs })
    return { exitCode: 0, stdout: typeof stdout === 'string' ? stdout : stdout(argv), stderr: '' }
  }
  return { calls, runtime: new PodmanRuntime(run) }
}

it('orders starts without waiting, and waits for stops', async () => {
  const { calls, runtime } = recorded()
  await runtime.start('search')
  await runtime.stop('agent-server')
  expect(calls.map((call) => call.argv.join(' '))).toEqual([
    'systemctl reset-failed logstack-search.service',
    'systemctl start --no-block logstack-search.service',
    'systemctl stop logstack-agent-server.service',
  ])
})

it('has restarted a part only when the start before is over', async () => {
  const invocations = ['one', 'one', 'one', 'two']
  const { calls, runtime } = recorded((argv) =>
    argv.includes('--property=InvocationID') ? `${invocations.shift()}\n` : '',
  )
  await runtime.restart('endpoint-manager')
  expect(invocations).toEqual([])
  expect(calls.filter((call) => call.argv[1] === 'restart').map((call) => call.argv.join(' '))).toEqual([
    'systemctl restart --no-block logstack-endpoint-manager.service',
  ])
})

it.each([
  ['active', false],
  ['activating', false],
  ['deactivating', false],
  ['inactive', true],
  ['failed', true],
])('takes a unit that is %s for stopped on purpose: %s', async (state, isStopped) => {
  expect(await recorded(`${state}\n`).runtime.isStopped('alerter')).toBe(isStopped)
})

it('lists with a limit of five seconds', async () => {
  const { calls, runtime } = recorded('logstack-search\trunning\tUp 2 minutes (healthy)\n')
  expect((await runtime.list())[0]).toMatchObject({ state: 'running', health: 'healthy', ready: true })
  expect(calls).toEqual([
    {
      argv: ['podman', 'ps', '--all', '--filter', 'name=^logstack-', '--format', '{{.Names}}\t{{.State}}\t{{.Status}}'],
      timeoutMs: 5_000,
    },
  ])
})

it('hands arguments of exec on as they are', async () => {
  const { calls, runtime } = recorded()
  await runtime.exec('search', ['elasticsearch-reset-password', '-u', 'a b'], { timeoutMs: 30_000 })
  expect(calls[0]?.argv).toEqual([
    'podman',
    'exec',
    '--interactive',
    'logstack-search',
    'elasticsearch-reset-password',
    '-u',
    'a b',
  ])
})

it('reads the journal of a unit', () => {
  expect(journalArgv('alerter', { lines: 20, follow: true }).join(' ')).toBe(
    'journalctl --unit=logstack-alerter.service --output=cat --quiet --lines=20 --follow',
  )
  expect(journalArgv('search', { lines: 60, follow: false, sinceMs: 1_700_000_000_512 }).join(' ')).toBe(
    'journalctl --unit=logstack-search.service --output=cat --quiet --lines=60 --since=@1700000000.512 --no-pager',
  )
})

describe('listing', () => {
  const listing = parseListing(
    [
      'logstack-search\trunning\tUp 19 hours (healthy)',
      'logstack-dashboard\trunning\tUp About a minute (starting)',
      'logstack-endpoint-manager\trunning\tUp 19 hours',
      'logstack-alerter\texited\tExited (1) 5 seconds ago',
      'logstack-setup\texited\tExited (0) 2 days ago',
      '',
    ].join('\n'),
  )

  it('tells running, ended and absent parts apart', () => {
    expect(listing.map(({ part, state, ready }) => [part, state, ready])).toEqual([
      ['search', 'running', true],
      ['endpoint-manager', 'running', true],
      ['dashboard', 'running', false],
      ['alerter', 'exited', false],
      ['agent-server', 'absent', false],
    ])
  })

  it('goes by the state, whatever the words are', () => {
    const states = ['paused', 'created', 'stopping', 'running'].map(
      (word) => parseListing(`logstack-search\t${word}\tUp 2 minutes\n`)[0],
    )
    expect(states.map((status) => [status?.state, status?.ready])).toEqual([
      ['paused', false],
      ['exited', false],
      ['exited', false],
      ['running', true],
    ])
  })

  it('prints the lines of the interface', () => {
    expect(listing.slice(0, 2).map(listingLine)).toEqual([
      'logstack-search Up 19 hours (healthy)',
      'logstack-endpoint-manager Up 19 hours',
    ])
  })
})
