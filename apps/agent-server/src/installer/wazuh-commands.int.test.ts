import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterAll, describe, expect, it } from 'vitest'
import { wazuhCommands, wazuhPortsOf } from './wazuh-commands.ts'

const folder = tempDir('logstack-wazuh-commands')
afterAll(() => folder.remove())

const usual = { events: 1514, enrolment: 1515 }
const token = 'aWQ6a2V5+/=='

/**
 * What a line calls where `programs` only write down how they were called, and the variables of Wazuh that each was given; `first` is what one of them,
 * or another program, does before.
 */
function callsOf(line: string, programs: readonly string[], first: Record<string, string>): string[] {
  const bin = join(folder.path, programs.join('-'))
  const log = join(bin, 'log')
  mkdirSync(bin)
  writeFileSync(log, '')
  const given = (name: string): string => `echo "${name} $*" >>'${log}'; env | grep ^WAZUH_ | sort >>'${log}'`
  const scripts = Object.fromEntries(programs.map((name) => [name, given(name)]))
  for (const name of Object.keys(first)) scripts[name] = [first[name], scripts[name]].join('\n')
  for (const [name, script] of Object.entries({ ...scripts, sudo: 'exec "$@"' })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  // Nothing else of this machine is found: whether it has dpkg must not matter.
  execFileSync('/bin/sh', ['-ec', `for each in env grep sort; do ln -s "$(command -v $each)" '${bin}/'; done`])
  execFileSync('/bin/sh', ['-ec', line.replaceAll('<TOKEN>', token)], { env: { PATH: bin }, cwd: folder.path })
  return readFileSync(log, 'utf8').trimEnd().split('\n')
}

describe('lines that install a Wazuh agent', () => {
  it('are for the host that agents know the stack by, with the ports that are not the usual ones', () => {
    const { windows, linux, macos } = wazuhCommands('https://logs.example.com:8220', usual)
    for (const line of [windows, linux, macos]) {
      expect(line).not.toContain('\n')
      expect(line).toMatch(/WAZUH_MANAGER=[`"']+logs\.example\.com[`"']+ WAZUH_REGISTRATION_PASSWORD=[`"']+<TOKEN>/)
    }
    const moved = wazuhPortsOf('https://127.0.0.1:2514', 'https://127.0.0.1:2515')
    expect(moved).toEqual({ events: 2514, enrolment: 2515 })
    const { windows: elsewhere } = wazuhCommands('https://[2001:db8::1]:9220', moved ?? usual)
    expect(elsewhere).toContain(
      'WAZUH_MANAGER=`"2001:db8::1`" WAZUH_MANAGER_PORT=`"2514`" WAZUH_REGISTRATION_PORT=`"2515`" ',
    )
  })

  it('are not offered where the port for enrolment is closed', () => {
    expect(wazuhPortsOf('https://logstack-endpoint-manager:1514', undefined)).toBeUndefined()
    expect(wazuhPortsOf('https://logstack-endpoint-manager:1514', 'https://logstack-endpoint-manager:1515')).toEqual(
      usual,
    )
  })

  it('call what a Linux system has, with the variables that Wazuh reads', () => {
    const { linux } = wazuhCommands('https://192.0.2.7:8220', { events: 1814, enrolment: 1515 })
    const given = ['WAZUH_MANAGER=192.0.2.7', 'WAZUH_MANAGER_PORT=1814', `WAZUH_REGISTRATION_PASSWORD=${token}`]
    const deb = 'wazuh-agent_4.14.7-1_arm64.deb'
    expect(
      callsOf(linux, ['curl', 'dpkg', 'systemctl'], { dpkg: '[ "$1" = --print-architecture ] && echo arm64 && exit' }),
    ).toEqual([
      `curl -fO https://packages.wazuh.com/4.x/apt/pool/main/w/wazuh-agent/${deb}`,
      `dpkg -i ./${deb}`,
      ...given,
      'systemctl enable --now wazuh-agent',
    ])
    expect(callsOf(linux, ['curl', 'rpm', 'systemctl'], { uname: 'echo x86_64' })).toEqual([
      'curl -fO https://packages.wazuh.com/4.x/yum/wazuh-agent-4.14.7-1.x86_64.rpm',
      'rpm -i ./wazuh-agent-4.14.7-1.x86_64.rpm',
      ...given,
      'systemctl enable --now wazuh-agent',
    ])
  })

  it('write the file that the installer of macOS reads', () => {
    const { macos } = wazuhCommands('https://192.0.2.7:8220', usual)
    const file = join(folder.path, 'wazuh_envs')
    const calls = callsOf(macos.replace('/tmp/wazuh_envs', file), ['curl', 'installer', 'launchctl'], {
      uname: 'echo arm64',
    })
    expect(calls).toEqual([
      'curl -fO https://packages.wazuh.com/4.x/macos/wazuh-agent-4.14.7-1.arm64.pkg',
      'installer -pkg ./wazuh-agent-4.14.7-1.arm64.pkg -target /',
      'launchctl bootstrap system /Library/LaunchDaemons/com.wazuh.agent.plist',
    ])
    const read = execFileSync('/bin/sh', ['-c', `. '${file}'; echo "$WAZUH_MANAGER $WAZUH_REGISTRATION_PASSWORD"`])
    expect(read.toString()).toBe(`192.0.2.7 ${token}\n`)
  })
})
