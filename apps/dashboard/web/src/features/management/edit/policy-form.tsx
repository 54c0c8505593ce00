import type { FormProps } from './form.tsx'
import { messages } from './messages.ts'
import { NamedJsonForm } from './named-json-form.tsx'

const editorHeightPx = 380
const example = {
  phases: {
    hot: { actions: { rollover: { max_age: '1d', max_primary_shard_size: '50gb' } } },
    delete: { min_age: '30d', actions: { delete: {} } },
  },
}

/** A lifecycle policy: its phases as JSON. */
export function PolicyForm(props: FormProps) {
  const { entry } = props
  const { policy = {} } = (entry?.body ?? { policy: example }) as { policy?: unknown }
  return (
    <NamedJsonForm
      {...props}
      title={entry ? messages.editPolicy(entry.name) : messages.createPolicy}
      label={messages.policy}
      heightPx={editorHeightPx}
      initial={policy}
      path="_ilm/policy"
      bodyOf={(value) => ({ policy: value })}
    />
  )
}
