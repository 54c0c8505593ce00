import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { parts } from '@logstack/contracts'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import { writeFileAtomically } from '../places/write-file.ts'
import { loadDefinitions } from '../quadlet/load.ts'
import { type Stack, searchIsRemote } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf, type Step } from './define-step.ts'

/** What is told about a cluster in search's place when a stack is set up with one. What is not told again stays as it was. */
export interface RemoteSearchGiven {
  /** The certificates (PEM) of who signed the cluster's; the authorities that Node.js knows unless given. */
  readonly ca?: string
  /** The administrator's password there, asked for when it is needed and not stored; `fresh` when it is to be taken even then. */
  readonly password?: { readonly fresh: boolean; read(): Promise<string> }
}

const clients = parts.filter((part) => part !== 'search')

/** Where search is somebody else's cluster: its authority, the administrator's password there, and its address for the four parts. */
export function remoteSearchStep(given: RemoteSearchGiven = {}): Step {
  return defineStep({
    name: 'remote-search',
    title: 'cluster in place of search',
    async diagnose(stack) {
      if (!searchIsRemote(stack)) return findingOf(leftovers(stack).map((file) => `rm ${file}`))
      const plan = wrongDropIns(stack).map(([file]) => `write ${file}`)
      if (wantedAuthority(stack, given) !== undefined) plan.push(`write ${stack.paths.searchCaFile}`)
      if (needsPassword(stack, given)) plan.push(`store the password of ${stack.choices.adminUser} at the cluster`)
      return findingOf(plan)
    },
    async apply(stack) {
      if (!searchIsRemote(stack)) {
        for (const file of leftovers(stack)) rmSync(file, { force: true })
        return
      }
      const ca = wantedAuthority(stack, given)
      if (ca !== undefined) writeFileAtomically(stack.paths.searchCaFile, ca)
      if (needsPassword(stack, given)) await storePassword(stack, given)
      for (const [file, text] of wrongDropIns(stack)) writeFileAtomically(file, text)
    },
    async prove(stack) {
      const found = loadDefinitions(stack.paths)
      const wrong = clients.find((part) => {
        const url = found.get(part)?.environment['LOGSTACK_SEARCH_URL']
        return url !== undefined && (url === stack.choices.searchUrl) !== searchIsRemote(stack)
      })
      if (wrong) throw unproven(`the definition of ${wrong} has another address of search`)
      if (searchIsRemote(stack)) await login(stack, stack.vault.read(stack.choices.adminUser))
    },
  })
}

function fileOf({ paths }: Stack, part: string): string {
  return join(paths.dropInDir, `logstack-${part}.container.d`, '20-search-url.conf')
}

function wrongDropIns(stack: Stack): [file: string, text: string][] {
  const text = `[Container]\nEnvironment=LOGSTACK_SEARCH_URL=${stack.choices.searchUrl}\n`
  return clients
    .map((part): [string, string] => [fileOf(stack, part), text])
    .filter(([file]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
}

/** What is left of a cluster the stack had before. */
function leftovers(stack: Stack): string[] {
  return [...clients.map((part) => fileOf(stack, part)), stack.paths.searchCaFile].filter((file) => existsSync(file))
}

/** The text the authority's file must get; undefined when it may stay. */
function wantedAuthority({ paths }: Stack, { ca }: RemoteSearchGiven): string | undefined {
  if (existsSync(paths.searchCaFile)) {
    return ca === undefined || readFileSync(paths.searchCaFile, 'utf8') === ca ? undefined : ca
  }
  return ca ?? `${rootCertificates.join('\n')}\n`
}

function needsPassword({ vault, choices }: Stack, { password }: RemoteSearchGiven): boolean {
  return !vault.has(choices.adminUser) || password?.fresh === true
}

async function storePassword(stack: Stack, given: RemoteSearchGiven): Promise<void> {
  const { adminUser, searchUrl } = stack.choices
  if (!given.password) {
    throw new AppError(operatorErrors.secret_missing, `the password of [${adminUser}] at ${searchUrl} is not stored`, {
      fix: 'give it in a file with: --search-password-file FILE',
    })
  }
  const password = await given.password.read()
  await login(stack, password)
  stack.vault.create()
  stack.vault.write(adminUser, password)
}

/** Nothing is stored, and no part started, that the cluster would refuse. */
async function login(stack: Stack, password: string): Promise<void> {
  const { adminUser, searchUrl } = stack.choices
  const search = stack.clients.searchAs(adminUser, password)
  try {
    const { body } = await search.request<{ roles?: string[] }>({ method: 'GET', path: '/_security/_authenticate' })
    if (body.roles?.includes('superuser')) return
  } catch (thrown) {
    if (!isAppError(thrown) || thrown.kind !== 'unauthenticated') throw thrown
    throw new AppError(operatorErrors.part_refused, `${searchUrl} refuses the password of [${adminUser}]`, {
      cause: thrown,
      fix: 'name its administrator with --admin-user, and give the password in a file with --search-password-file',
    })
  }
  const message = `[${adminUser}] may not make roles and users at ${searchUrl}: it is neither a superuser nor has it all_access`
  throw new AppError(operatorErrors.part_refused, message, { fix: 'name an administrator with --admin-user' })
}
