import type { Fields } from '../../../ecs/fields.ts'
import { type MessageKind, numberOf, objectOf, present, type Reading, readObject, textOf, textsOf } from './reading.ts'

const places = ['file', 'directory', 'registry', 'process', 'command']

/** `p`: what the configuration of a host is to be, and whether it is. */
export const configurationCheck: MessageKind = {
  name: 'sca',
  read(text) {
    const read = readObject(text)
    if (read === undefined) return undefined
    switch (textOf(read, 'type')) {
      case 'check':
        return checkReading(read)
      case 'summary':
        return summaryReading(read)
      // The lists that its server would clean its own table by.
      case 'policies':
      case 'dump_end':
        return 'none'
      default:
        return undefined
    }
  },
}

function checkReading(read: Fields): Reading | undefined {
  const check = objectOf(read, 'check')
  const [policy, id, title] = [textOf(read, 'policy_id'), textOf(check, 'id'), textOf(check, 'title')]
  if (policy === undefined || id === undefined || title === undefined) return undefined
  const said = textOf(check, 'result')?.toLowerCase()
  const result = said === 'passed' || said === 'failed' ? said : 'unknown'
  const evidence = evidenceOf(check)
  const before = textOf(check, 'previous_result')
  const fields = present({
    message: `${title}: ${result}.${evidence === undefined ? '' : ` ${evidence}`}`,
    event: {
      kind: before === undefined ? 'state' : 'event',
      module: 'checks',
      category: ['configuration'],
      type: ['info'],
      action: `check_${result}`,
      outcome: result === 'passed' ? 'success' : result === 'failed' ? 'failure' : 'unknown',
      reason: evidence,
    },
    rule: {
      id,
      name: title,
      description: textOf(check, 'rationale') ?? textOf(check, 'description'),
      ruleset: policy,
      reference: textOf(check, 'references')?.split(',')[0],
    },
    logstack: {
      check: {
        result,
        fix: textOf(check, 'remediation'),
        before,
        compliance: compliance(objectOf(check, 'compliance')),
      },
      inventory: { kind: 'check', key: `${policy}/${id}`, present: true },
    },
  })
  return { dataset: 'checks', fields }
}

/** Why it could not be told, else what was looked at. */
function evidenceOf(check: Fields): string | undefined {
  const reason = textOf(check, 'reason')
  if (reason !== undefined) return reason
  const looked = places.flatMap((place) => {
    const at = textOf(check, place)
    return at === undefined ? [] : [`${place} ${at}`]
  })
  return looked.length > 0 ? looked.join('; ') : textsOf(check, 'rules').join('; ') || undefined
}

/** `cis 5.2.4`, `pci_dss 2.2`: the names are the policy's own, which are no names of fields. */
function compliance(of: Fields): string[] {
  return Object.keys(of).flatMap((name) => {
    const value = textOf(of, name)
    return value === undefined ? [] : [`${name} ${value}`]
  })
}

function summaryReading(read: Fields): Reading | undefined {
  const [policy, name] = [textOf(read, 'policy_id'), textOf(read, 'name')]
  const [passed, failed, invalid] = ['passed', 'failed', 'invalid'].map((count) => numberOf(read, count))
  if (policy === undefined || passed === undefined || failed === undefined) return undefined
  const fields = present({
    message: `${name ?? policy}: ${passed} passed, ${failed} failed, ${invalid ?? 0} not applicable`,
    event: { kind: 'state', module: 'checks', category: ['configuration'], type: ['info'], action: 'checks_summary' },
    rule: { ruleset: policy },
    wazuh: { sca: { name, passed, failed, invalid, score: numberOf(read, 'score') } },
  })
  return { dataset: 'wazuh.sca', fields }
}
