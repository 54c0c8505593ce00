import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runCommand } from '@logstack/process'
import type { Stack } from '../stack.ts'
import { type Evidence, evidenceOf, textOf } from './collect.ts'
import { makeRedactor, secretsOf } from './redact.ts'

const tarLimitMs = 120_000

/** Writes the evidence, without secrets, into one `.tar.gz` that only its owner can read. Tells what it collects; answers the files' paths in it. */
export async function writeBundle(
  stack: Stack,
  options: { readonly file: string; readonly folder: string; readonly onCollect: (path: string) => void },
): Promise<string[]> {
  const { file, folder, onCollect } = options
  const redact = makeRedactor(secretsOf(stack.vault))
  const staging = mkdtempSync(join(tmpdir(), 'logstack-support-'))
  try {
    const evidence = evidenceOf(stack)
    const write = async (one: Evidence): Promise<void> => {
      onCollect(one.path)
      const target = join(staging, folder, one.path)
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      writeFileSync(target, redact(await textOf(one)), { mode: 0o600 })
    }
    // One after the other: podman's commands block each other, and a stack in trouble is not to be pressed.
    for (const one of evidence) await write(one)
    writeFileSync(file, '', { mode: 0o600 })
    chmodSync(file, 0o600)
    await runCommand(['tar', '--create', '--gzip', '--file', file, '--directory', staging, folder], {
      timeoutMs: tarLimitMs,
    })
    return evidence.map(({ path }) => path)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
