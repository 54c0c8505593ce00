import { unfit } from '../../refusals/unfit.ts'
import { defineProcessor } from '../define-processor.ts'

/** RFC 3986, appendix B. */
const uri =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):)?(?:\/\/(?<authority>[^/?#]*))?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$/isu
const authority = /^(?:(?<user>[^@]*)@)?(?<host>\[[^\]]*\]|[^:[\]]*)(?::(?<port>\d*))?$/u
const portMax = 65_535

/** The members of a URI. Throws when the text is none. */
function partsOf(text: string): Record<string, unknown> {
  const found = uri.exec(text)?.groups
  if (!found || /[\s<>"{}|\\^`]/u.test(text.split(/[?#]/u)[0] ?? '')) throw unfit(`unable to parse URI [${text}]`)
  const { scheme, authority: given, path = '', query, fragment } = found
  const place = given === undefined || given === '' ? {} : authority.exec(given)?.groups
  if (!place || Number(place['port'] ?? 0) > portMax) throw unfit(`unable to parse URI [${text}]`)
  const { user, host, port } = place
  const file = decoded(path)
  // That of the last segment, which follows a slash.
  const slash = file.lastIndexOf('/')
  const dot = slash < 0 ? -1 : file.indexOf('.', slash) < 0 ? -1 : file.lastIndexOf('.')
  return {
    ...(host === undefined || host === '' ? {} : { domain: host }),
    ...(fragment === undefined ? {} : { fragment: decoded(fragment) }),
    ...(dot < 0 ? {} : { extension: file.slice(dot + 1) }),
    path: file,
    ...(port === undefined || port === '' ? {} : { port: Number(port) }),
    ...(query === undefined ? {} : { query: decoded(query) }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(user === undefined ? {} : userParts(decoded(user))),
  }
}

function userParts(user: string): Record<string, string> {
  const colon = user.indexOf(':')
  if (colon < 0) return { user_info: user }
  return { user_info: user, username: user.slice(0, colon), password: user.slice(colon + 1) }
}

/** With `%41` as the letters it stands for; what is no such thing stays. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/giu, (escaped) =>
    Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

/** `uri_parts`: a URI taken apart. */
export const uriPartsProcessor = defineProcessor('uri_parts', (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field') ?? 'url'
  const ignoreMissing = config.boolean('ignore_missing')
  const keepOriginal = config.boolean('keep_original', true)
  const removeAfter = config.boolean('remove_if_successful')
  return (document) => {
    const text = document.text(field, ignoreMissing)
    if (text === undefined) return
    const parts = partsOf(text)
    if (removeAfter && target !== field) document.remove(field)
    document.set(target, { ...parts, ...(keepOriginal ? { original: text } : {}) })
  }
})
