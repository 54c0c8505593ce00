import { join } from 'node:path'
import { httpsProbe } from '@logstack/part'

// `logstack-health URL`, the health check of a container: exit code 0 when the URL answers 200 under the stack's authority, else 1 and why.
const answerLimitMs = 4_500
const url = process.argv[2] ?? ''
const probe = httpsProbe(join(process.env['LOGSTACK_CERTS_DIR'] ?? '', 'root-ca.crt'))
const problem = await probe(url, answerLimitMs)
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 1
}
