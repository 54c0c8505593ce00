import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FetchedPrograms, freePort, fromMaven, tempDir } from '@logstack/testkit'

const tools = fileURLToPath(new URL('../../../../tools/opensearch', import.meta.url))
const startSecondsMax = 150

/** An OpenSearch to compare with. */
export interface RunningOpenSearch {
  /** A request with a body of JSON, or of text as it is. */
  ask(
    path: string,
    method: string,
    body?: unknown,
  ): Promise<{ status: number; json: Readonly<Record<string, unknown>> }>
  stop(): Promise<void>
}

/** That of `LOGSTACK_OPENSEARCH_URL`, which stays, or one of Maven Central that is started; `missing` says why there is none. */
export async function findOpenSearch(): Promise<{
  readonly missing: string | undefined
  start(): Promise<RunningOpenSearch>
}> {
  const url = process.env['LOGSTACK_OPENSEARCH_URL']
  if (url !== undefined)
    return { missing: undefined, start: async () => ({ ask: asking(url), stop: () => Promise.resolve() }) }
  const jars = await fromMaven(join(tools, 'pom.xml'))
  return { missing: jars.missing, start: () => startOpenSearch(jars) }
}

async function startOpenSearch(jars: FetchedPrograms): Promise<RunningOpenSearch> {
  const scratch = tempDir('logstack-opensearch')
  symlinkSync(await jars.folder(), join(scratch.path, 'lib'))
  const port = await freePort()
  const args = [scratch.path, String(port), String(await freePort())]
  const program = spawn(join(tools, 'start.sh'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  const stop = async () => {
    program.kill()
    await ended
    scratch.remove()
  }
  const limit = AbortSignal.timeout(startSecondsMax * 1_000)
  const started = once(program.stdout, 'data', { signal: limit })
  const exited = ended.then(([code]) =>
    Promise.reject(new Error(`OpenSearch ended with ${code} before it had started`)),
  )
  await Promise.race([started, exited]).catch(async (thrown: unknown) => {
    await stop()
    throw thrown
  })
  // Its end is expected from here on.
  exited.catch(() => undefined)
  return { ask: asking(`http://127.0.0.1:${port}`), stop }
}

function asking(url: string): RunningOpenSearch['ask'] {
  return async (path, method, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: text }),
    })
    return { status: answer.status, json: (await answer.json()) as Readonly<Record<string, unknown>> }
  }
}
