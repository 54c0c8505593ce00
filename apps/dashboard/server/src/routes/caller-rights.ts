import { type Call, callerOf } from '../route.ts'
import type { Services } from '../services.ts'

/** The headers with which search acts for the caller. */
export function headersOf(call: Call): Record<string, string> {
  return { authorization: callerOf(call).authorization }
}

/** Who the caller is as search knows them, so that nobody signs with another's name. */
export async function nameOf(call: Call, services: Services): Promise<string> {
  const path = '/_security/_authenticate'
  const { body } = await services.search.request<{ username: string }>({
    method: 'GET',
    path,
    headers: headersOf(call),
  })
  return body.username
}
