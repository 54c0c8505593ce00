import { Checkbox, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { coverageOf } from './attack-coverage.ts'
import { tactics, techniques } from './attack-techniques.ts'
import { messages } from './messages.ts'
import type { ListedRule } from './use-rules.ts'
import './attack-matrix.css'

interface MatrixProps {
  readonly rules: readonly ListedRule[]
  /** A technique was chosen, `T1059`. */
  readonly onChoose: (technique: string) => void
}

/** ATT&CK's tactics with their techniques, those with rules that run coloured by how many. */
export function AttackMatrix({ rules, onChoose }: MatrixProps) {
  const [onlyCovered, setOnlyCovered] = useState(false)
  const coverage = coverageOf(rules)
  const covered = techniques.filter(({ id }) => coverage.has(id)).length
  return (
    <Stack p="md" gap="sm">
      <Group justify="space-between">
        <Text size="sm">{messages.coverage(covered, techniques.length)}</Text>
        <Checkbox
          size="xs"
          label={messages.onlyCovered}
          checked={onlyCovered}
          onChange={(event) => setOnlyCovered(event.currentTarget.checked)}
        />
      </Group>
      <div className="attack-matrix" data-testid="attack-matrix">
        {tactics.map((tactic) => {
          const own = techniques.filter(
            (technique) => technique.tactics.includes(tactic.code) && (!onlyCovered || coverage.has(technique.id)),
          )
          return (
            <section key={tactic.id} aria-label={tactic.name}>
              <Text size="xs" fw={700} h={34}>
                {tactic.name}
              </Text>
              {own.map(({ id, name }) => (
                <TechniqueCell key={id} id={id} name={name} count={coverage.get(id) ?? 0} onChoose={onChoose} />
              ))}
            </section>
          )
        })}
      </div>
      <Text size="xs" className="muted">
        {messages.attribution}
      </Text>
    </Stack>
  )
}

function TechniqueCell(props: { id: string; name: string; count: number; onChoose: (technique: string) => void }) {
  const { id, name, count, onChoose } = props
  const level = count === 0 ? 'none' : count < 3 ? 'some' : count < 10 ? 'more' : 'many'
  const content = (
    <>
      <span className="attack-id">{id}</span>
      {count > 0 && <span className="attack-count">{count}</span>}
      <span className="attack-name">{name}</span>
    </>
  )
  if (count === 0) return <div className="attack-cell attack-none">{content}</div>
  return (
    <UnstyledButton className={`attack-cell attack-${level}`} onClick={() => onChoose(id)}>
      {content}
    </UnstyledButton>
  )
}
