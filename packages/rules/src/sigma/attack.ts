/** MITRE ATT&CK's enterprise tactics: the name in Sigma's tags, the id, the title. */
const tactics: readonly { readonly tag: string; readonly id: string; readonly name: string }[] = [
  { tag: 'reconnaissance', id: 'TA0043', name: 'Reconnaissance' },
  { tag: 'resource-development', id: 'TA0042', name: 'Resource Development' },
  { tag: 'initial-access', id: 'TA0001', name: 'Initial Access' },
  { tag: 'execution', id: 'TA0002', name: 'Execution' },
  { tag: 'persistence', id: 'TA0003', name: 'Persistence' },
  { tag: 'privilege-escalation', id: 'TA0004', name: 'Privilege Escalation' },
  { tag: 'defense-evasion', id: 'TA0005', name: 'Defense Evasion' },
  // The two that newer rules name in its place.
  { tag: 'stealth', id: 'TA0005', name: 'Stealth' },
  { tag: 'defense-impairment', id: 'TA0112', name: 'Defense Impairment' },
  { tag: 'credential-access', id: 'TA0006', name: 'Credential Access' },
  { tag: 'discovery', id: 'TA0007', name: 'Discovery' },
  { tag: 'lateral-movement', id: 'TA0008', name: 'Lateral Movement' },
  { tag: 'collection', id: 'TA0009', name: 'Collection' },
  { tag: 'command-and-control', id: 'TA0011', name: 'Command and Control' },
  { tag: 'exfiltration', id: 'TA0010', name: 'Exfiltration' },
  { tag: 'impact', id: 'TA0040', name: 'Impact' },
]

/** What ECS says of MITRE ATT&CK: `threat`. */
export interface Threat {
  readonly framework: 'MITRE ATT&CK'
  readonly tactic?: { readonly id: string[]; readonly name: string[] }
  readonly technique?: { readonly id: string[] }
}

/** What a rule's tags (`attack.t1059.001`, `attack.credential-access`) say of MITRE ATT&CK, as ECS's `threat`; undefined when nothing. */
export function threatOf(tags: readonly string[]): Threat | undefined {
  const words = tags
    .map((tag) => tag.toLowerCase())
    .filter((tag) => tag.startsWith('attack.'))
    .map((tag) => tag.slice('attack.'.length).replaceAll('_', '-'))
  const techniques = [
    ...new Set(words.filter((word) => /^t\d{4}(?:\.\d{3})?$/u.test(word)).map((word) => word.toUpperCase())),
  ]
  const named = tactics.filter(({ tag }) => words.includes(tag))
  if (techniques.length === 0 && named.length === 0) return undefined
  return {
    framework: 'MITRE ATT&CK',
    ...(named.length > 0 ? { tactic: { id: named.map(({ id }) => id), name: named.map(({ name }) => name) } } : {}),
    ...(techniques.length > 0 ? { technique: { id: techniques } } : {}),
  }
}
