import { NativeSelect, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../../api/client.ts'
import { messages } from '../messages.ts'
import { usePolicies } from './use-policies.ts'

/** Which policy an agent has; another one is given by choosing it. */
export function AssignPolicy({ id, policyId }: { id: string; policyId: string }) {
  const policies = usePolicies()
  const client = useQueryClient()
  // The list of agents is written in intervals: what was chosen is shown until it says so too.
  const [chosen, setChosen] = useState(policyId)
  const assign = useMutation({
    mutationFn: (policy_id: string) =>
      request(`api/agents/${encodeURIComponent(id)}/policy`, { method: 'POST', json: { policy_id } }),
    onSuccess: async (_answer, policy) => {
      setChosen(policy)
      await client.invalidateQueries({ queryKey: ['agents'] })
    },
  })
  const problem = assign.error ?? policies.error
  const known = policies.data?.items.map((item) => ({ value: item.id, label: item.name })) ?? []
  const data = known.some(({ value }) => value === chosen) ? known : [{ value: chosen, label: chosen }, ...known]
  return (
    <>
      <NativeSelect
        size="xs"
        label={messages.policy}
        value={chosen}
        disabled={assign.isPending}
        data={data}
        onChange={(event) => assign.mutate(event.currentTarget.value)}
      />
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem.message}
        </Text>
      )}
    </>
  )
}
