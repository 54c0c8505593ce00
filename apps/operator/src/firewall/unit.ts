import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'
import { host } from '../places/host.ts'
import { writeFileAtomically } from '../places/write-file.ts'

const name = 'logstack-firewall.service'
const limitMs = 30_000
const text = `# Written by logstack firewall apply: puts the stack's rules back whenever nftables.service loaded its own.
[Unit]
Description=logstack ports in nftables
After=nftables.service
PartOf=nftables.service

[Service]
Type=oneshot
RemainAfterExit=yes
# \`flush ruleset\` at the head of /etc/nftables.conf takes podman's rules away too.
ExecStart=-/usr/bin/podman network reload --all
ExecStart=${host.launcher} firewall apply
TimeoutStartSec=120

[Install]
WantedBy=multi-user.target nftables.service
`

const file = join(host.unitDir, name)

/** The unit that opens the ports again after a restart of the host or of nftables. */
export const firewallUnit = {
  /** Writes and enables it; nothing happens when it is there. */
  async install(): Promise<void> {
    if (existsSync(file)) return
    writeFileAtomically(file, text)
    await runCommand(['systemctl', 'daemon-reload'], { timeoutMs: limitMs })
    await runCommand(['systemctl', 'enable', name], { timeoutMs: limitMs })
  },
  /** Disables and deletes it. */
  async remove(): Promise<void> {
    if (!existsSync(file)) return
    await runCommand(['systemctl', 'disable', name], { timeoutMs: limitMs })
    rmSync(file)
    await runCommand(['systemctl', 'daemon-reload'], { timeoutMs: limitMs })
  },
} as const
