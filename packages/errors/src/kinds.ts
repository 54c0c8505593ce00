/** What a kind of error means at each edge: HTTP status, process exit code, level it is logged at. */
export interface KindMeaning {
  readonly httpStatus: number
  readonly exitCode: number
  readonly logLevel: 'info' | 'warn' | 'error'
}

/** The closed list of error kinds; each is mapped to an edge here and nowhere else. */
export const errorKinds = {
  invalid: { httpStatus: 400, exitCode: 2, logLevel: 'info' },
  unauthenticated: { httpStatus: 401, exitCode: 3, logLevel: 'warn' },
  forbidden: { httpStatus: 403, exitCode: 3, logLevel: 'warn' },
  'not-found': { httpStatus: 404, exitCode: 4, logLevel: 'info' },
  conflict: { httpStatus: 409, exitCode: 5, logLevel: 'info' },
  'too-large': { httpStatus: 413, exitCode: 2, logLevel: 'info' },
  'too-many': { httpStatus: 429, exitCode: 6, logLevel: 'warn' },
  timeout: { httpStatus: 504, exitCode: 6, logLevel: 'warn' },
  unavailable: { httpStatus: 503, exitCode: 6, logLevel: 'warn' },
  unsupported: { httpStatus: 400, exitCode: 2, logLevel: 'info' },
  internal: { httpStatus: 500, exitCode: 70, logLevel: 'error' },
} as const satisfies Record<string, KindMeaning>

export type ErrorKind = keyof typeof errorKinds
