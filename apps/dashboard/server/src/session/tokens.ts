import { AppError, dashboardErrors, isAppError } from '@logstack/errors'
import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'

/** A token pair from search; the pages never see it. Where the server has no tokens it is the name and the password. */
export interface TokenPair {
  /** The word before it in an `Authorization` header; Bearer unless given. */
  readonly scheme?: 'Bearer' | 'Basic'
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly expiresInSeconds: number
}

/** Who a token or a password belongs to. */
export interface Identity {
  readonly username: string
  readonly roles: readonly string[]
}

/** What a session asks search for. */
export interface TokenExchange {
  /** Changes a password for tokens; wrong ones are `login_failed`. */
  exchange(username: string, password: string): Promise<TokenPair>
  refresh(refreshToken: string): Promise<TokenPair>
  /** Ends the access token; resolves also when it had ended already. */
  invalidate(token: Pick<TokenPair, 'scheme' | 'accessToken'>): Promise<void>
  /** Who an `Authorization` header belongs to; invalid ones are `login_required`. */
  identify(authorization: string): Promise<Identity>
}

const tokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_in: z.number(),
})
/** A name and a password do not end; the session that holds them does. */
const basicExpiresInSeconds = 365 * 24 * 3600

const identityAnswer = z.object({ username: z.string(), roles: z.array(z.string()).default([]) })

/** Tokens over search's API. `client` is the dashboard's own account: search renews and ends tokens for an authenticated client only. */
export function searchTokens(client: SearchClient): TokenExchange {
  const request = async (body: Record<string, string>, headers: Record<string, string> = {}): Promise<TokenPair> => {
    const answer = await client.request({ method: 'POST', path: '/_security/oauth2/token', body, headers })
    const token = tokenAnswer.parse(answer.body)
    return {
      accessToken: token.access_token,
      refreshToken: token.refresh_token,
      expiresInSeconds: token.expires_in,
    }
  }
  return {
    async exchange(username, password) {
      // As the user itself: a wrong password of the dashboard's own account must not look like a wrong password of the user.
      const accessToken = Buffer.from(`${username}:${password}`).toString('base64')
      const headers = { authorization: `Basic ${accessToken}` }
      try {
        if (!(await client.capabilities()).sessionTokens) {
          await client.request({ method: 'GET', path: '/_security/_authenticate', headers })
          const expiresInSeconds = basicExpiresInSeconds
          return { scheme: 'Basic', accessToken, refreshToken: undefined, expiresInSeconds }
        }
        return await request({ grant_type: 'password', username, password }, headers)
      } catch (thrown) {
        throw loginError(thrown)
      }
    },
    refresh: (refreshToken) => request({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    async invalidate({ scheme, accessToken }) {
      if (scheme === 'Basic') return
      await client.request({
        method: 'DELETE',
        path: '/_security/oauth2/token',
        body: { token: accessToken },
        accept: [400, 401, 404],
      })
    },
    async identify(authorization) {
      try {
        const answer = await client.request({
          method: 'GET',
          path: '/_security/_authenticate',
          headers: { authorization },
        })
        return identityAnswer.parse(answer.body)
      } catch (thrown) {
        if (!isAppError(thrown) || thrown.kind !== 'unauthenticated') throw thrown
        throw new AppError(dashboardErrors.login_required, 'search did not accept these credentials', { cause: thrown })
      }
    },
  }
}

function loginError(thrown: unknown): unknown {
  if (!isAppError(thrown) || thrown.code !== 'search_refused') return thrown
  const status = thrown.detail['status']
  if (status === 401 || (status === 400 && thrown.detail['type'] === 'invalid_grant')) {
    return new AppError(dashboardErrors.login_failed, 'The user name or the password is not right.', { cause: thrown })
  }
  if (status === 400 || status === 404 || status === 405) {
    return new AppError(dashboardErrors.tokens_unsupported, 'search hands out no session tokens', { cause: thrown })
  }
  return thrown
}
