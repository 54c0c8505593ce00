import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { host } from '../places/host.ts'
import { writeFileAtomically } from '../places/write-file.ts'

const name = 'logstack-firewall.service'
const limitMs = 30_000
const portsCommand = `ExecStart=${host.launcher} firewall apply`
const innerFlag = '--containers-only'
const textOf = (
  withPorts: boolean,
): string => `# Written by logstack: puts the stack's rules back whenever nftables.service loaded its own.
[Unit]
Description=logstack ports in nftables
After=nftables.service
PartOf=nftables.service

[Service]
Type=oneshot
RemainAfterExit=yes
# \`flush ruleset\` at the head of /etc/nftables.conf takes podman's rules away too.
ExecStart=-/usr/bin/podman network reload --all
${withPorts ? portsCommand : `${portsCommand} ${innerFlag}`}
TimeoutStartSec=120

[Install]
WantedBy=multi-user.target nftables.service
`

const file = join(host.unitDir, name)

/** The unit that puts the stack's rules back after a restart of the host or of nftables. */
export const firewallUnit = {
  /** Writes and enables it, for the ports as well or for the containers alone; nothing happens when it is as it should be. */
  async install(withPorts: boolean): Promise<void> {
    const text = textOf(withPorts)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return
    writeFileAtomically(file, text)
    await runCommand(['systemctl', 'daemon-reload'], { timeoutMs: limitMs })
    await runCommand(['systemctl', 'enable', name], { timeoutMs: limitMs })
  },
  /** Whether it is there, be it for the ports or for the containers alone. */
  isInstalled: (): boolean => existsSync(file),
  /** Disables and deletes it. */
  async remove(): Promise<void> {
    if (!existsSync(file)) return
    await runCommand(['systemctl', 'disable', name], { timeoutMs: limitMs })
    rmSync(file)
    await runCommand(['systemctl', 'daemon-reload'], { timeoutMs: limitMs })
  },
} as const
