import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Bucket, type S3Endpoint } from './s3-client.ts'
import type { RepositoryStorage, StoredFile } from './storage.ts'

/** Files removed side by side. */
const removedAtOnce = 8

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{2,4}));/gu, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    return entities[String(name)] ?? whole
  })
}

function elements(xml: string, name: string): string[] {
  return xml
    .split(`<${name}>`)
    .slice(1)
    .map((part) => part.slice(0, part.indexOf(`</${name}>`)))
}

/** A bucket, or what is in it below `basePath`. A file is one object, which such a store shows whole or not at all. */
export function bucketStorage(
  endpoint: S3Endpoint,
  { bucket, basePath }: { readonly bucket: string; readonly basePath: string },
): RepositoryStorage {
  const store = new S3Bucket(endpoint, bucket)
  const prefix = basePath === '' ? '' : `${basePath.replace(/^\/+|\/+$/gu, '')}/`

  async function list(folder: string): Promise<StoredFile[]> {
    const found: StoredFile[] = []
    let token: string | undefined
    do {
      const query = {
        'list-type': '2',
        prefix: `${prefix}${folder}/`,
        ...(token === undefined ? {} : { 'continuation-token': token }),
      }
      const { status, body } = await store.ask({ method: 'GET', key: '', query })
      if (status === 404) throw new Error(`there is no bucket [${bucket}]`)
      const xml = body.toString('utf8')
      for (const each of elements(xml, 'Contents')) {
        const key = unescaped(elements(each, 'Key')[0] ?? '')
        found.push({ name: key.slice(prefix.length), bytes: Number(elements(each, 'Size')[0]) })
      }
      const next = elements(xml, 'NextContinuationToken')[0]
      token = elements(xml, 'IsTruncated')[0] === 'true' && next !== undefined ? unescaped(next) : undefined
    } while (token !== undefined)
    return found
  }

  return {
    place: `${endpoint.url.origin}/${bucket}/${prefix}`,
    prepare: async () => undefined,
    async size(name) {
      const { status, headers } = await store.ask({ method: 'HEAD', key: prefix + name })
      return status === 404 ? undefined : Number(headers['content-length'])
    },
    async read(name) {
      const { status, body } = await store.ask({ method: 'GET', key: prefix + name })
      return status === 404 ? undefined : body
    },
    async write(name, bytes) {
      const { status } = await store.ask({ method: 'PUT', key: prefix + name, body: bytes })
      if (status === 404) throw new Error(`there is no bucket [${bucket}]`)
    },
    async remove(names) {
      for (let at = 0; at < names.length; at += removedAtOnce) {
        const some = names.slice(at, at + removedAtOnce)
        await Promise.all(some.map((name) => store.ask({ method: 'DELETE', key: prefix + name })))
      }
    },
    list,
    removeUnfinished: async () => ({ files: 0, bytes: 0 }),
    async withPath(_name, bytes, work) {
      const folder = await mkdtemp(join(tmpdir(), 'logstack-restore-'))
      try {
        const path = join(folder, 'file')
        await writeFile(path, bytes, { mode: 0o600 })
        return await work(path)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}
