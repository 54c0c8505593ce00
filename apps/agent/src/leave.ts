import { agentApiPaths, leaveResponseSchema } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Identity } from './identity.ts'
import { refusedStatus, ServerClient } from './server-client.ts'

const timeoutMs = 15_000

/** Tells agent-server that this agent is no more; answers why it could not be told, or undefined. A server that knows it no longer is told. */
export async function leave({ id, url, ca, access_key }: Identity): Promise<string | undefined> {
  const client = new ServerClient({ url, ca, accessKey: access_key })
  try {
    const path = agentApiPaths.leave.replace(':id', id)
    await client.request({ method: 'POST', path, timeoutMs, schema: leaveResponseSchema })
    return undefined
  } catch (thrown) {
    return refusedStatus(thrown) === 401 ? undefined : messageOf(thrown)
  } finally {
    client.close()
  }
}
