import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchd } from './launchd.ts'
import { scheduledTask } from './scheduled-task.ts'

// Python reads both forms itself: property lists by plistlib, and command lines as Microsoft's C runtime wants them by list2cmdline.
const hasPython = spawnSync('python3', ['--version']).status === 0
const plistProgram = 'import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))'
const taskProgram = `import json, subprocess, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
def plain(node): return {child.tag.split('}')[1]: plain(child) for child in node} or node.text
print(json.dumps({'task': plain(root), 'namespace': root.tag, 'expected': subprocess.list2cmdline(json.loads(sys.argv[2]))}))`

const hostile = ['a b', 'C:\\Program Files\\logstack\\', 'say "hi"', 'b \\"', '', '<&>', 'Grüße', "it's"]
let temporary: TempDir

beforeAll(() => {
  temporary = tempDir('logstack-service')
})
afterAll(() => temporary.remove())

function readByPython(program: string, bytes: Buffer, ...more: readonly string[]): unknown {
  const file = join(temporary.path, 'definition')
  writeFileSync(file, bytes)
  const env = { ...process.env, PYTHONIOENCODING: 'utf-8' }
  const { stdout, stderr } = spawnSync('python3', ['-c', program, file, ...more], { encoding: 'utf8', env })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

describe.skipIf(!hasPython)(`service definitions${hasPython ? '' : ' (python3 is not installed)'}`, () => {
  it('are a property list for launchd that keeps every word', () => {
    const argv = ['/usr/local/bin/node', ...hostile]
    expect(readByPython(plistProgram, launchd.render(argv))).toMatchObject({
      Label: 'logstack-agent',
      ProgramArguments: argv,
      RunAtLoad: true,
      KeepAlive: true,
      Umask: 0o077,
    })
  })

  it('are a task for Windows in UTF-16 whose command line comes apart into the same words', () => {
    const program = 'C:\\Program Files\\logstack agent\\logstack-agent.exe'
    const read = readByPython(taskProgram, scheduledTask.render([program, ...hostile]), JSON.stringify(hostile)) as {
      expected: string
    }
    expect(read).toMatchObject({
      namespace: '{http://schemas.microsoft.com/windows/2004/02/mit/task}Task',
      task: {
        Triggers: { BootTrigger: { Enabled: 'true', Repetition: { Interval: 'PT1M' } } },
        Principals: { Principal: { UserId: 'S-1-5-18' } },
        Settings: { MultipleInstancesPolicy: 'IgnoreNew', ExecutionTimeLimit: 'PT0S' },
        Actions: { Exec: { Command: program, Arguments: read.expected } },
      },
    })
  })
})
