import { AppError, operatorErrors } from '@logstack/errors'
import { inspectCertificate, splitChain } from '@logstack/pki'
import { readGivenFile } from '../places/given-file.ts'
import { type Stack, searchIsRemote } from '../stack.ts'
import type { RemoteSearchGiven } from '../steps/remote-search.ts'
import type { CommandContext } from './command.ts'
import { readSecretInput } from './read-secret-input.ts'

/** What `up` and `install` may be told about a cluster in search's place. A password is never an argument: every user of the machine sees those. */
export interface SearchOptions {
  readonly searchUrl?: string
  readonly searchCa?: string
  readonly searchPasswordFile?: string
}

/** The options as the commands declare them. */
export const searchOptions = {
  url: [
    '--search-url <url>',
    'use an Elasticsearch or OpenSearch cluster in place of search; several nodes with commas between; own: go back to search',
  ],
  ca: ['--search-ca <file>', "certificates (PEM) of who signed the cluster's (default: the public authorities)"],
  passwordFile: [
    '--search-password-file <file>',
    "file with the password of the cluster's administrator (--admin-user); asked for without it",
  ],
} as const satisfies Record<string, readonly [string, string]>

/** Reads what was told: certificates now, as a wrong file is no reason to begin, the password when it is needed. */
export function remoteSearchGiven(
  stack: Stack,
  { searchUrl, searchCa, searchPasswordFile }: SearchOptions,
  context: CommandContext,
): RemoteSearchGiven {
  if (!searchIsRemote(stack)) {
    if (searchCa === undefined && searchPasswordFile === undefined) return {}
    throw new AppError(
      operatorErrors.option_invalid,
      'search is the stack’s own: it needs no authority and no password',
      {
        fix: 'name the cluster with --search-url',
      },
    )
  }
  const { adminUser } = stack.choices
  const question = `Password of ${adminUser} at ${searchUrl ?? stack.choices.searchUrl}: `
  const read = async (): Promise<string> =>
    searchPasswordFile === undefined
      ? askPassword(question, context)
      : firstLine(readGivenFile(searchPasswordFile, passwordFile))
  return {
    ...(searchCa === undefined ? {} : { ca: readAuthorities(searchCa) }),
    password: { fresh: searchPasswordFile !== undefined, read },
  }
}

/** Containers have a loopback of their own: `option_invalid` for a cluster that is on this host's. */
export function requireReachable(stack: Stack): void {
  if (!searchIsRemote(stack)) return
  const loopback = stack.choices.searchUrl
    .split(',')
    .find((url) => /^(localhost|127\.|\[::1\])/.test(new URL(url).host))
  if (loopback === undefined) return
  throw new AppError(
    operatorErrors.option_invalid,
    `containers do not reach ${loopback}: their loopback is their own`,
    {
      fix: 'use an address or a name that other machines know',
    },
  )
}

const passwordFile = { named: '--search-password-file', holds: 'the password in its first line' } as const

async function askPassword(question: string, { env }: CommandContext): Promise<string> {
  return env['LOGSTACK_ADMIN_PASSWORD'] ?? (await readSecretInput(question))
}

function readAuthorities(file: string): string {
  const text = readGivenFile(file, {
    named: '--search-ca',
    holds: 'the certificate of the authority of the cluster (PEM)',
  })
  try {
    const found = splitChain(text)
    for (const certificate of found) inspectCertificate(certificate)
    if (found.length > 0) return text
  } catch (thrown) {
    throw notCertificates(file, thrown)
  }
  throw notCertificates(file)
}

function notCertificates(file: string, cause?: unknown): AppError {
  return new AppError(operatorErrors.option_invalid, `${file} holds no certificates in PEM`, {
    cause,
    fix: 'name the file of the authority, such as root-ca.pem',
  })
}

function firstLine(text: string): string {
  return text.split(/\r?\n/)[0] ?? ''
}
