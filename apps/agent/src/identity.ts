import { AppError, agentsErrors } from '@logstack/errors'
import { z } from 'zod'
import type { DataPaths } from './data-directory.ts'
import { readJsonFile, writeDurably } from './durable-file.ts'

const identitySchema = z.object({
  version: z.literal(1),
  id: z.string(),
  name: z.string(),
  /** agent-server's address. */
  url: z.string(),
  /** PEM of the authority that signed the servers' certificates. */
  ca: z.string(),
  access_key: z.string(),
  certificate: z.string(),
  key: z.string(),
  policy_id: z.string(),
  enrolled_at: z.string(),
})

/** Who an enrolled agent is, and how it knows its servers. Holds secrets: never logged. */
export type Identity = z.infer<typeof identitySchema>

/** The identity in a data directory; undefined when the agent is not enrolled. */
export function readIdentity(paths: DataPaths): Identity | undefined {
  return readJsonFile(paths.identity, identitySchema)
}

/** Like `readIdentity`; throws `agent_not_enrolled` instead. */
export function requireIdentity(paths: DataPaths): Identity {
  const identity = readIdentity(paths)
  if (identity) return identity
  throw new AppError(agentsErrors.agent_not_enrolled, `the agent in ${paths.folder} is not enrolled`, {
    fix: `agent enroll --url URL --token-file FILE --ca FILE --data ${paths.folder}`,
  })
}

export function writeIdentity(paths: DataPaths, identity: Identity): void {
  writeDurably(paths.identity, JSON.stringify(identity))
}
