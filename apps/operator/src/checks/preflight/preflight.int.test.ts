import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberStack } from '../../places/data-dir.ts'
import { endCommand, socketInodes } from '../../places/port-holder.ts'
import { identifyProcess } from '../../places/process-identity.ts'
import { writeSupervisorState } from '../../places/supervisor-state.ts'
import { openStack } from '../../stack.ts'
import { testStack } from '../../testing/test-stack.ts'
import { folderWritable } from './folder-writable.ts'
import { notRunning } from './not-running.ts'
import { portsFree, takenPorts } from './ports-free.ts'

let portOffset: number
let test: ReturnType<typeof testStack>
beforeEach(async () => {
  // One at which nothing listens, below the ports that the system gives to connections.
  do {
    test?.remove()
    portOffset = randomInt(14_000, 22_000)
    test = testStack({ portOffset })
  } while ((await takenPorts(test.stack)).length > 0)
})
afterEach(() => test.remove())

describe('ports', () => {
  it('in use are refused with the process that uses them, over TCP and UDP', async () => {
    await portsFree(test.stack)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(8220 + portOffset, '127.0.0.1', resolve))
    await expect(portsFree(test.stack)).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringMatching(
        new RegExp(
          `^port ${8220 + portOffset}, which logstack-agent-server needs, is used by .+ \\(process ${process.pid}\\)$`,
        ),
      ),
      fix: expect.stringContaining(`kill ${process.pid}`),
    })
    await new Promise((resolve) => server.close(resolve))
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(5514 + portOffset, '127.0.0.1', resolve))
    await expect(portsFree(test.stack)).rejects.toMatchObject({
      message: expect.stringContaining(`port ${5514 + portOffset}/udp`),
    })
    socket.close()
  })

  it('that another stack of this user holds are freed by stopping that one', async () => {
    const [state, other] = [tempDir('logstack-state'), tempDir('logstack-other')]
    vi.stubEnv('XDG_STATE_HOME', state.path)
    const server = createServer()
    try {
      await new Promise<void>((resolve) => server.listen(8220 + portOffset, '127.0.0.1', resolve))
      const own = identifyProcess(process.pid)
      if (!own) throw new Error('this process is not there')
      mkdirSync(join(other.path, 'run'))
      writeSupervisorState(
        { runDir: join(other.path, 'run') },
        { supervisor: own, socket: '', secretsRoot: undefined, children: [{ ...own, name: 'agent-server' }] },
      )
      rememberStack(other.path, process.env)
      await expect(portsFree(test.stack)).rejects.toMatchObject({
        message: expect.stringContaining(`is used by the stack in ${other.path}`),
        fix: expect.stringContaining(`./logstack --data ${other.path} down`),
      })
    } finally {
      await new Promise((resolve) => server.close(resolve))
      vi.unstubAllEnvs()
      state.remove()
      other.remove()
    }
  })

  it('are freed by what holds them: a unit, a container, a process', () => {
    const holder = { pid: 7, command: 'node', unit: undefined, container: undefined }
    expect(endCommand(holder)).toBe('kill 7')
    expect(endCommand({ ...holder, command: 'conmon', container: 'lme-kibana' })).toBe('podman stop lme-kibana')
    expect(endCommand({ ...holder, container: 'lme-kibana', unit: 'lme-kibana.service' })).toBe(
      'systemctl stop lme-kibana.service',
    )
  })

  it('are found in the table of the system by their number and state', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:23F0 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1',
      '   1: 0100007F:23F0 0100007F:A000 01 00000000:00000000 00:00000000 00000000  1000        0 222 1',
      '   2: 0100007F:23F1 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 333 1',
    ].join('\n')
    expect(socketInodes(table, 9200, 'tcp')).toEqual(['socket:[111]'])
    expect(socketInodes(table, 9200, 'udp')).toEqual(['socket:[111]', 'socket:[222]'])
    expect(socketInodes('', 9200, 'tcp')).toEqual([])
  })
})

describe('data folder', () => {
  it('is made when it can be, with nothing left in it', async () => {
    await folderWritable(test.stack)
    expect(readdirSync(test.stack.paths.root)).toEqual([])
  })

  it('that is a file, or lies in one, is refused with what to do', async () => {
    const file = join(test.stack.paths.root, 'file')
    writeFileSync(file, '')
    for (const dataDir of [file, join(file, 'below'), '/proc/below/it']) {
      const stack = openStack({ dataDir, programDir: test.stack.paths.programDir })
      await expect(folderWritable(stack)).rejects.toMatchObject({
        code: 'folder_unwritable',
        message: expect.stringContaining(dataDir),
        fix: expect.stringContaining('--data DIR'),
      })
    }
  })
})

describe('a running stack', () => {
  it('is not started a second time; one whose supervisor is gone is', async () => {
    const { paths } = test.stack
    await notRunning(test.stack)
    mkdirSync(paths.runDir, { recursive: true })
    const supervisor = identifyProcess(process.pid) ?? { pid: process.pid }
    writeSupervisorState(paths, { supervisor, socket: '', secretsRoot: undefined, children: [] })
    await expect(notRunning(test.stack)).rejects.toMatchObject({ code: 'already_running' })
    writeSupervisorState(paths, {
      supervisor: { pid: process.pid, startTicks: 1 },
      socket: '',
      secretsRoot: undefined,
      children: [],
    })
    await notRunning(test.stack)
  })
})
