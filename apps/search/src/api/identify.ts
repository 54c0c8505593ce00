import type { FastifyRequest } from 'fastify'
import type { Scope } from '../model/scope.ts'
import { actionOf } from '../security/actions.ts'
import type { RequestAudit } from '../security/audit/request-audit.ts'
import type { Asking } from '../security/denied.ts'
import type { Security } from '../security/security.ts'
import type { RouteMatch } from './router.ts'

const runAsHeader = 'es-security-runas-user'

interface Identifying {
  readonly security: Pick<Security, 'authenticate' | 'runAs'>
  readonly audit: RequestAudit
}

/** The scope of the user a request acts for: its own, or the one its header names. Throws 401 and 403. */
export async function identify(
  { headers, ip, raw: { url: uri = '/' } }: Pick<FastifyRequest, 'headers' | 'ip' | 'raw'>,
  match: RouteMatch,
  { security, audit }: Identifying,
): Promise<Scope> {
  let own: Scope
  try {
    own = await security.authenticate(headers.authorization, uri, ip)
  } catch (thrown) {
    audit.failed(thrown)
    throw thrown
  }
  audit.authenticated(own)
  const name = headers[runAsHeader]
  const scope = name === undefined ? own : actingFor(own, String(name), askingFor(match, uri), { security, audit })
  audit.follow(scope)
  return scope
}

/** What a refusal says was asked for. */
function askingFor(match: RouteMatch, uri: string): Asking {
  if (match.kind !== 'route') return uri
  const { name, privilege } = match.route
  const level = typeof privilege === 'object' && 'index' in privilege ? 'index' : 'cluster'
  return { action: actionOf(name, level), uri }
}

function actingFor(own: Scope, name: string, asking: Asking, { security, audit }: Identifying): Scope {
  try {
    const scope = security.runAs(own, name, asking)
    audit.ranAs(own, name, scope)
    return scope
  } catch (thrown) {
    audit.ranAs(own, name, undefined)
    throw thrown
  }
}
