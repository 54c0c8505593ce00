import { readFileSync } from 'node:fs'
import { messageOf } from '@logstack/errors'
import type { S3Credentials } from './sign-request.ts'

/** The keys of the section `[default]` of a file in the form of `~/.aws/credentials`. Throws an error that says what is wrong and holds no key. */
export function readCredentials(file: string): S3Credentials {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    throw new Error(`the file of [s3.client.default.credentials_file] cannot be read: ${messageOf(thrown)}`)
  }
  const found: Record<string, string> = {}
  let section = 'default'
  for (const line of text.split('\n')) {
    const [, name] = /^\s*\[([^\]]{1,100})\]\s*$/u.exec(line) ?? []
    section = name ?? section
    const at = line.indexOf('=')
    if (section === 'default' && at > 0 && !line.trim().startsWith('#'))
      found[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  const { aws_access_key_id: accessKey = '', aws_secret_access_key: secretKey = '' } = found
  if (accessKey === '' || secretKey === '')
    throw new Error(`[${file}] has no aws_access_key_id and aws_secret_access_key in its section [default]`)
  return { accessKey, secretKey }
}
