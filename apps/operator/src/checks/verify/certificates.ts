import { existsSync, readFileSync } from 'node:fs'
import { parts } from '@logstack/contracts'
import { inspectCertificate } from '@logstack/pki'
import { leafProblem } from '../../certificates/leafs.ts'
import { leafFilesOf } from '../../places/paths.ts'
import { type Check, defineCheck, failed, passed } from '../define-check.ts'

/** Every part's certificate: in date, under the authority, for every name and address of this host. */
export const certificates: Check = defineCheck({
  name: 'certificates',
  title: 'certificates',
  async diagnose(stack) {
    const { caFile } = stack.paths
    const renew = 'renew them with: ./logstack down && ./logstack up'
    if (!existsSync(caFile)) return failed(`${caFile} is missing`, renew)
    const authority = readFileSync(caFile, 'utf8')
    const wrong = parts.flatMap((part) => {
      const problem = leafProblem(stack, part, authority)
      return problem ? [`the certificate of ${part} ${problem}`] : []
    })
    if (wrong.length > 0) return failed(wrong.join('; '), renew)
    const leaf = inspectCertificate(readFileSync(leafFilesOf(stack.paths, 'search').cert, 'utf8'))
    return passed(`valid until ${leaf.notAfter.toISOString().slice(0, 10)}`)
  },
})
