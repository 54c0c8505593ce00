import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AppError, agentsErrors, systemSentence } from '@logstack/errors'

/** What `agent enroll` is told on the command line. */
export interface EnrolFlags {
  readonly data: string
  readonly url: string
  readonly token?: string
  readonly tokenFile?: string
  readonly ca?: string
  readonly caFingerprint?: string
  readonly force?: boolean
}

const again = 'copy the command again from the dashboard: Agents, Add agent'

/** How agent-server writes a token, `id:key` in base64, whose key is 256 random bits in base64url: 43 characters. */
const tokenForm = { whole: /^[\w-]+:[\w-]{43,}$/, alphabet: /^[A-Za-z0-9+/]+={0,2}$/ } as const

/**
 * The token from a file (`-` is standard input), the environment, or the command line, in this order. `enrolment_token_invalid` where there is none, or
 * one that is cut off or altered, which no server needs to be asked about.
 */
export function tokenOf(flags: EnrolFlags, env: NodeJS.ProcessEnv = process.env): string {
  const token = (
    flags.tokenFile
      ? readGiven('--token-file', flags.tokenFile === '-' ? 0 : flags.tokenFile, 'the enrolment token')
      : (env['LOGSTACK_ENROLMENT_TOKEN'] ?? flags.token ?? '')
  ).trim()
  if (token === '') {
    throw new AppError(agentsErrors.enrolment_token_invalid, 'no enrolment token was given', {
      fix: 'pass --token-file FILE, or set LOGSTACK_ENROLMENT_TOKEN',
    })
  }
  const problem = problemOf(token)
  if (problem === undefined) return token
  throw new AppError(agentsErrors.enrolment_token_invalid, `the enrolment token ${problem}`, { fix: again })
}

function problemOf(token: string): string | undefined {
  if (/\s/.test(token)) return 'has a space or a line break in it'
  if (!tokenForm.alphabet.test(token)) return 'has characters that no token has'
  const bytes = Buffer.from(token, 'base64')
  // What decodes to the same without its last characters was cut off there.
  const isWhole = bytes.toString('base64') === token && tokenForm.whole.test(bytes.toString('latin1'))
  return isWhole ? undefined : 'is not whole: it was cut off, or altered, on its way here'
}

/** How the server is known; `server_untrusted` where nothing says so, or a file that shall does not. */
export function authorityOf(flags: EnrolFlags): { pem: string } | { fingerprint: string } {
  if (flags.ca) {
    const pem = readGiven(
      '--ca',
      flags.ca,
      'the certificate of the authority that signs the server certificates (root-ca.crt)',
    )
    if (!isCertificate(pem)) {
      throw new AppError(agentsErrors.server_untrusted, `--ca: ${flags.ca} holds no certificate (PEM)`, {
        fix: 'name a copy of root-ca.crt of the server, or pass --ca-fingerprint HEX',
      })
    }
    return { pem }
  }
  if (flags.caFingerprint) return { fingerprint: flags.caFingerprint }
  throw new AppError(agentsErrors.server_untrusted, 'nothing says which authority signs the server certificate', {
    fix: 'pass --ca FILE or --ca-fingerprint HEX',
  })
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).fingerprint256 !== ''
  } catch {
    return false
  }
}

/** The text of a file that a person named; `agent_file_unusable` says what is wrong with it, and what it shall hold. */
function readGiven(option: string, file: string | 0, holds: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    const problem = systemSentence(thrown)
    if (problem === undefined) throw thrown
    const named = file === 0 ? 'standard input' : file
    // The system does not tell of which file it speaks when it is a folder.
    throw new AppError(agentsErrors.agent_file_unusable, `${option}: ${problem.replace(/^it /, `${named} `)}`, {
      cause: thrown,
      fix: `name a file that this user may read, with ${holds}`,
    })
  }
}
