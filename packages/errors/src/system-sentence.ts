type SystemError = Error & {
  readonly code?: string
  readonly path?: string
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
}

/**
 * What an error of the system about a file or a connection means, as the part of a sentence that stands after a colon; undefined for every other
 * error. For the edges where people read: the codes of the system say little to them.
 */
export function systemSentence(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  // A name with several addresses fails once for each.
  const error = (thrown instanceof AggregateError ? thrown.errors.at(-1) : thrown) as SystemError
  const { code, path = 'it', address, port, hostname = 'of the host' } = error
  const place = address === undefined ? 'there' : `at ${address}${port === undefined ? '' : ` port ${port}`}`
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: `there is no ${path}`,
    ENOTDIR: `${path} leads through a file that is no folder`,
    EISDIR: `${path} is a folder, not a file`,
    EEXIST: `${path} is there already`,
    EACCES: `${path} is closed to the user who runs this`,
    EPERM: `${path} is closed to the user who runs this`,
    EROFS: `${path} is on a file system that can only be read`,
    ELOOP: `${path} is a link that leads in a circle`,
    ENAMETOOLONG: `${path} is longer than a path may be`,
    ENOSPC: `no space is left on the disk for ${path}`,
    ECONNREFUSED: `nothing listens ${place}`,
    ECONNRESET: 'the connection was cut off by the other side',
    ENOTFOUND: `nobody knows the name ${hostname}`,
    EAI_AGAIN: `the name ${hostname} cannot be looked up now`,
    EHOSTUNREACH: `no way leads to the host ${place}`,
    ENETUNREACH: `no network leads to the host ${place}`,
    ETIMEDOUT: `nobody answers ${place}`,
  }
  return code === undefined ? undefined : sentences[code]
}
