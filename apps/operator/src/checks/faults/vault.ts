import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serviceAccounts } from '@logstack/contracts'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { generatePassword } from '@logstack/passwords'
import { agentsAuthoritySecret } from '../../certificates/authority.ts'
import { defineFault } from '../../doctor/define-fault.ts'
import { runStep } from '../../mending/run-step.ts'
import { runningSecret } from '../../mending/running-secret.ts'
import type { Stack } from '../../stack.ts'
import { podmanSecrets } from '../../steps/host/podman-secrets.ts'

interface Found {
  /** Files and directories with the mode they should have. */
  readonly modes: readonly { readonly path: string; readonly mode: number }[]
  /** Secrets that are missing or cannot be decrypted. */
  readonly lost: readonly string[]
  /** The key that decrypts them all is gone or empty. */
  readonly keyIsLost: boolean
}

/** The vault: its key, its modes, and every secret the stack needs decrypted. */
export const vault = defineFault<Found>({
  name: 'vault',
  title: 'secrets in the vault',
  async diagnose({ stack }) {
    const { vaultKeyFile } = stack.paths
    const keyIsLost = !existsSync(vaultKeyFile) || statSync(vaultKeyFile).size === 0
    const modes = wrongModes(stack)
    const unreadable = namesOf(stack).flatMap((name) => {
      const problem = keyIsLost && stack.vault.has(name) ? 'its key is missing' : readingProblem(stack, name)
      return problem === undefined ? [] : [{ name, problem }]
    })
    if (!keyIsLost && modes.length === 0 && unreadable.length === 0) {
      return { status: 'healthy', detail: `${namesOf(stack).length} can be read` }
    }
    return {
      status: 'fault',
      problem: problemOf({ keyIsLost, lost: unreadable.map(({ name }) => name), modes }, vaultKeyFile),
      evidence: [
        ...(keyIsLost ? [`${vaultKeyFile} is missing or empty`] : []),
        ...unreadable.map(({ name, problem }) => `${name}: ${problem}`),
        ...modes.map(({ path, mode }) => `${path} has mode ${modeOf(path)} instead of ${mode.toString(8)}`),
      ],
      meaning:
        unreadable.length > 0
          ? 'parts do not start again, and the stored password cannot be shown'
          : 'other users of this machine can read secrets',
      found: { modes, lost: unreadable.map(({ name }) => name), keyIsLost },
    }
  },
  plan({ stack: { paths } }, { modes, lost, keyIsLost }) {
    return [
      ...modes.map(({ path, mode }) => `chmod ${mode.toString(8)} ${path}`),
      ...(keyIsLost ? [`# a new key in ${paths.vaultKeyFile}`] : []),
      ...lost.map(
        (name) =>
          `# ${paths.vaultDir}/${name} anew: from the part that runs with it, else <NEW_PASSWORD>, set in search too`,
      ),
    ]
  },
  async repair({ stack }, { modes, lost, keyIsLost }, progress) {
    for (const { path, mode } of modes) chmodSync(path, mode)
    if (lost.length === 0) return
    const values = new Map<string, string>()
    for (const name of lost) {
      progress.waiting(name)
      values.set(name, (await runningSecret(stack, name)) ?? newValueOf(stack, name))
    }
    if (keyIsLost) rmSync(stack.paths.vaultKeyFile, { force: true })
    stack.vault.create()
    for (const [name, value] of values) stack.vault.write(name, value)
    if (stack.runtime.kind === 'podman') await runStep(podmanSecrets, stack, progress)
  },
})

function namesOf({ choices }: Stack): string[] {
  return [choices.adminUser, ...serviceAccounts.map(({ username }) => username), agentsAuthoritySecret]
}

function readingProblem(stack: Stack, name: string): string | undefined {
  try {
    return stack.vault.read(name) === '' ? 'is empty' : undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}

// Passwords that nobody has any more are made anew; the checks after this one then set them in search.
function newValueOf({ paths }: Stack, name: string): string {
  if (name !== agentsAuthoritySecret) return generatePassword()
  throw new AppError(
    operatorErrors.vault_unreadable,
    `the key that signs agents' certificates (${name}) is lost: agent-server does not run with it`,
    { fix: `restore ${join(paths.vaultDir, name)} and ${paths.vaultKeyFile} from a backup` },
  )
}

function wrongModes({ paths }: Stack): { path: string; mode: number }[] {
  const { vaultDir, vaultKeyFile } = paths
  if (!existsSync(vaultDir)) return []
  const secrets = readdirSync(vaultDir).map((name) => ({ path: join(vaultDir, name), mode: 0o600 }))
  const wanted = [{ path: vaultDir, mode: 0o700 }, { path: vaultKeyFile, mode: 0o600 }, ...secrets]
  // Fewer rights than shipped are no leak: only what others can do counts.
  return wanted.filter(({ path }) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

function problemOf({ keyIsLost, lost, modes }: Found, keyFile: string): string {
  if (keyIsLost) return `the vault's key ${keyFile} is missing, so no secret can be read`
  if (lost.length > 0) return `${lost.length === 1 ? 'the secret' : 'the secrets'} ${lost.join(', ')} cannot be read`
  return `others may read ${modes.map(({ path }) => path).join(', ')}`
}
