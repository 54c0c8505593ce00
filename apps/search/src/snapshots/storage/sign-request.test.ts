import { expect, it } from 'vitest'
import { encodeName, signRequest } from './sign-request.ts'

/** The examples of AWS' documentation of signatures in headers, with the key that stands there. */
const credentials = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const bucket = 'https://examplebucket.s3.amazonaws.com'
const nowMs = Date.UTC(2013, 4, 24)

it.each([
  [
    'an object',
    { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' }, body: '' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an upload',
    {
      method: 'PUT',
      path: `/${encodeName('test$file.text')}`,
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a parameter without a value',
    { method: 'GET', path: '/?lifecycle', headers: {}, body: '' },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list',
    { method: 'GET', path: '/?prefix=J&max-keys=2', headers: {}, body: '' },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('signs %s as AWS shows it', (_what, { method, path, headers, body }, signature) => {
  const request = { method, url: new URL(path, bucket), headers, body: Buffer.from(body) }
  const { authorization } = signRequest(request, credentials, 'us-east-1', nowMs)
  expect(authorization).toContain('Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,')
  expect(authorization).toMatch(new RegExp(`Signature=${signature}$`, 'u'))
})
