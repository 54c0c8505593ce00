import { type DestinationStream, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { standardOutput } from './standard-output.ts'

/** A structured logger: one JSON line an entry on standard output, ISO 8601 times, secrets redacted by key. */
export type Logger = PinoLogger

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

// Keys that may hold a credential anywhere in a log entry; pino replaces their values.
const secretKeys = ['password', 'token', 'authorization', 'secret', 'api_key', 'access_token', 'refresh_token']
const redactedPaths = secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])

/** Makes the logger of one part; `destination` is standard output unless a test gives another. */
export function createLogger(part: string, level: LogLevel = 'info', destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { part },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '<redacted>' },
  }
  return pino(options, destination ?? standardOutput())
}
