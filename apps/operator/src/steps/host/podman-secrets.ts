import { existsSync } from 'node:fs'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { Stack } from '../../stack.ts'
import { unproven } from '../../telling/unproven.ts'
import { secretNameVariable } from '../../vault/secret-driver.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { podmanLimits } from './podman-limits.ts'

/** A podman secret for each secret a container needs, kept in the vault by our driver: podman knows names, the vault knows values. */
export const podmanSecrets = defineStep({
  name: 'podman-secrets',
  title: 'secrets of podman',
  async diagnose(stack) {
    if (!existsSync(podmanSecretsFile)) return findingOf(secretNames(stack).map((name) => createArgv(name).join(' ')))
    const listed = await listSecrets()
    const missing = secretNames(stack).filter((name) => !listed.includes(name))
    return findingOf(missing.map((name) => createArgv(name).join(' ')))
  },
  async apply(stack) {
    const listed = await listSecrets()
    for (const name of secretNames(stack).filter((wanted) => !listed.includes(wanted))) {
      await runCommand(createArgv(name), {
        timeoutMs: podmanLimits.changeMs,
        // podman takes standard input from a pipe only, and a child of node has a socket there.
        env: { [secretNameVariable]: name, [valueVariable]: stack.vault.read(name) },
      })
    }
  },
  async prove(stack) {
    for (const name of secretNames(stack)) {
      const argv = ['podman', 'secret', 'inspect', '--showsecret', '--format', '{{.SecretData}}', name]
      const { stdout } = await runCommand(argv, { timeoutMs: podmanLimits.changeMs })
      // podman ends what it prints with a line feed of its own.
      if (stdout.trimEnd() !== stack.vault.read(name).trimEnd()) {
        throw unproven(`podman reads the secret ${name} differently from the vault`, `podman secret rm ${name}`)
      }
    }
  },
})

const valueVariable = 'LOGSTACK_SECRET_VALUE'
const podmanSecretsFile = '/var/lib/containers/storage/secrets/secrets.json'

/** The names of podman's secrets of every container. */
export function secretNames({ paths }: Stack): string[] {
  return [...new Set([...loadDefinitions(paths).values()].flatMap((definition) => definition.secrets))].sort()
}

/** The names of all secrets podman knows. */
export async function listSecrets(): Promise<string[]> {
  const { stdout } = await runCommand(['podman', 'secret', 'ls', '--format', '{{.Name}}'], {
    timeoutMs: podmanLimits.lookMs,
  })
  return stdout.split('\n').filter(Boolean)
}

function createArgv(name: string): string[] {
  const options = ['list', 'lookup', 'store', 'delete'].map((verb) => `${verb}=${host.secretDriver} ${verb}`)
  return [
    'podman',
    'secret',
    'create',
    '--driver',
    'shell',
    '--driver-opts',
    options.join(','),
    '--env',
    name,
    valueVariable,
  ]
}
