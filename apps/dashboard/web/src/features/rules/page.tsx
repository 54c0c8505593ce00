import { alertRulesIndex } from '@logstack/contracts'
import { Button, Checkbox, Tabs, TextInput } from '@mantine/core'
import { Plus, ShieldAlert } from 'lucide-react'
import { NothingInIndex } from '../../shell/nothing-in-index.tsx'
import { Page as PageFrame } from '../../shell/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { AttackMatrix } from './attack-matrix.tsx'
import { messages } from './messages.ts'
import { RuleDrawer } from './rule-drawer.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { RuleTable } from './rule-table.tsx'
import { hasProblem, type ListedRule, useRules } from './use-rules.ts'

/** More rows than anybody reads; the search narrows them. */
const shownMax = 300

/** The rules the alerter has and how they fare, what of ATT&CK they cover, and the editor of one. */
export function Page() {
  const url = useUrlState()
  const found = useRules()
  const rules = found.data ?? []
  if (url.get('edit') !== undefined || url.get('new') !== undefined) {
    if (found.isPending) return <LoadingState />
    return <RuleEditor rule={rules.find(({ id }) => id === url.get('edit'))} key={url.get('edit') ?? ''} />
  }
  const isMatrix = url.get('view') === 'attack'
  const fitting = rulesThatFit(rules, url.get('search') ?? '', url.get('problems') === 'true')
  const shown = fitting.slice(0, shownMax)
  return (
    <PageFrame
      title={messages.title}
      description={
        found.data ? messages.count(shown.length, rules.length, rules.filter(hasProblem).length) : messages.description
      }
      actions={<Actions />}
    >
      <Tabs
        value={isMatrix ? 'attack' : 'list'}
        onChange={(view) => url.set({ view: view === 'attack' ? view : undefined })}
        mb="sm"
      >
        <Tabs.List>
          <Tabs.Tab value="list">{messages.list}</Tabs.Tab>
          <Tabs.Tab value="attack">{messages.matrix}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <div className="panel">
        {found.isPending && <LoadingState />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && isMatrix && (
          <AttackMatrix rules={rules} onChoose={(technique) => url.set({ view: undefined, search: technique })} />
        )}
        {found.data && !isMatrix && shown.length === 0 && (
          <NothingInIndex index={alertRulesIndex.name}>
            <EmptyState
              title={rules.length === 0 ? messages.emptyTitle : messages.noneFitTitle}
              icon={<ShieldAlert size={32} strokeWidth={1.5} />}
            >
              {rules.length === 0 ? messages.emptyText : messages.noneFitText}
            </EmptyState>
          </NothingInIndex>
        )}
        {!isMatrix && shown.length > 0 && <RuleTable rules={shown} onOpen={(id) => url.set({ rule: id })} />}
      </div>
      <RuleDrawer rule={rules.find(({ id }) => id === url.get('rule'))} onClose={() => url.set({ rule: undefined })} />
    </PageFrame>
  )
}

function Actions() {
  const url = useUrlState()
  return (
    <>
      <Checkbox
        size="xs"
        label={messages.problems}
        checked={url.get('problems') === 'true'}
        onChange={(event) => url.set({ problems: event.currentTarget.checked ? 'true' : undefined }, { replace: true })}
      />
      <TextInput
        size="xs"
        w={230}
        aria-label={messages.search}
        placeholder={messages.search}
        value={url.get('search') ?? ''}
        onChange={(event) => url.set({ search: event.currentTarget.value }, { replace: true })}
      />
      <Button size="xs" leftSection={<Plus size={14} />} onClick={() => url.set({ new: 'true', edit: undefined })}>
        {messages.newRule}
      </Button>
    </>
  )
}

function rulesThatFit(rules: readonly ListedRule[], wanted: string, onlyProblems: boolean): ListedRule[] {
  const words = wanted.toLowerCase().split(' ').filter(Boolean)
  return rules.filter((rule) => {
    const text = [rule.name, rule.file, rule.type, ...(rule.tags ?? [])].join(' ').toLowerCase()
    return words.every((word) => text.includes(word)) && (!onlyProblems || hasProblem(rule))
  })
}
