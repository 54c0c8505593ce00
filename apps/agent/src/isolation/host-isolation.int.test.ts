import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const isPossible =
  process.getuid?.() === 0 && ['/usr/sbin/nft', '/usr/sbin/ip', '/usr/bin/unshare'].every((path) => existsSync(path))
const child = fileURLToPath(new URL('host-isolation.child.ts', import.meta.url))
const loader = fileURLToPath(new URL('../../../../tools/run-ts.mjs', import.meta.url))

// Two network namespaces joined by a cable: a host with the agent, and all others, who have an address each.
const cable = `
set -e
ip netns add $1
ip netns add $2
ip link add $1 netns $1 type veth peer name $2 netns $2
for net in $1 $2; do ip -n $net link set lo up; ip -n $net link set $net up; done
ip -n $1 addr add 10.77.0.1/24 dev $1
for n in 2 3 4; do ip -n $2 addr add 10.77.0.$n/24 dev $2; done
`
const listen = `
const { createServer } = require('node:net')
for (const address of ['10.77.0.2', '10.77.0.3', '10.77.0.4'])
  for (const port of [8220, 1514, 80]) createServer((socket) => { socket.on('error', () => 0); socket.pipe(socket) }).listen(port, address)
`

let temporary: TempDir
let others: ChildProcess | undefined
const name = `lsi${process.pid}`

const inHost = (...argv: string[]) => spawnSync('ip', ['netns', 'exec', `${name}a`, ...argv], { encoding: 'utf8' })

const targets = [
  ['10.77.0.2', 8220],
  ['10.77.0.2', 1514],
  ['10.77.0.2', 80],
  ['10.77.0.3', 80],
  ['10.77.0.4', 80],
] as const
const probe = `
const { connect } = require('node:net')
const one = ([host, port]) => new Promise((done) => {
  const socket = connect({ host, port, timeout: 2000 })
  for (const [event, result] of [['connect', true], ['error', false], ['timeout', false]])
    socket.on(event, () => { done(result); socket.destroy() })
})
Promise.all(JSON.parse(process.argv[1]).map(one)).then((all) => console.log(JSON.stringify(all)))
`

/** Which of the targets the host reaches. */
const reached = (): boolean[] =>
  JSON.parse(inHost(process.execPath, '-e', probe, JSON.stringify(targets)).stdout) as boolean[]

function tell(what: object): string {
  const { stdout, stderr } = inHost(process.execPath, loader, child, temporary.path, JSON.stringify(what))
  return stdout + stderr
}

beforeEach(async () => {
  if (!isPossible) return
  temporary = tempDir('logstack-isolation')
  const made = spawnSync('sh', ['-c', cable, 'cable', `${name}a`, `${name}b`], { encoding: 'utf8' })
  expect(made.stderr).toBe('')
  others = spawn('ip', ['netns', 'exec', `${name}b`, process.execPath, '-e', listen], { stdio: 'ignore' })
  await expect.poll(reached, { timeout: 20_000 }).toEqual([true, true, true, true, true])
})

afterEach(async () => {
  if (!isPossible) return
  const ended = new Promise((resolve) => others?.once('exit', resolve))
  others?.kill()
  await ended
  for (const net of ['a', 'b']) spawnSync('ip', ['netns', 'del', `${name}${net}`])
  temporary.remove()
})

describe('isolation', () => {
  it.skipIf(!isPossible)('leaves the servers and those named within reach, nobody else, and is lifted again', () => {
    const servers = ['https://10.77.0.2:8220', 'https://10.77.0.2:1514']
    expect(tell({ servers, isolated: true, allow: ['10.77.0.4'] })).toContain('cut off')
    expect(reached()).toEqual([true, true, false, false, true])
    expect(existsSync(join(temporary.path, 'isolation.json'))).toBe(true)

    // A reboot takes the kernel's rules away; the agent sets them again.
    inHost('nft', 'flush', 'ruleset')
    tell({ servers, restore: true })
    expect(reached()).toEqual([true, true, false, false, true])

    tell({ servers, isolated: true, allow: [] })
    expect(reached()).toEqual([true, true, false, false, false])
    expect(tell({ servers, isolated: false })).toContain('joined')
    expect(reached()).toEqual([true, true, true, true, true])
    expect(inHost('nft', 'list', 'ruleset').stdout.trim()).toBe('')
    expect(tell({ servers, isolated: false })).toContain('was not cut off')
  })
})
