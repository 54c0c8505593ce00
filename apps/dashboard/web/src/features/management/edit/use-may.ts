import { useQuery } from '@tanstack/react-query'
import { manage } from '../../../api/manage.ts'

/** The privileges of the cluster that Management's forms take. */
export type EditPrivilege = 'manage_security' | 'manage_own_api_key' | 'manage_ilm' | 'manage_pipeline'

const asked: readonly EditPrivilege[] = ['manage_security', 'manage_own_api_key', 'manage_ilm', 'manage_pipeline']

/** Whether search lets the user do what a privilege of the cluster allows; no until it has said so. */
export function useMay(privilege: EditPrivilege | undefined): boolean {
  const answer = useQuery({
    queryKey: ['privileges', 'own'],
    queryFn: ({ signal }) => {
      const json = { cluster: asked }
      return manage<{ cluster: Readonly<Record<string, boolean>> }>('POST', '_security/user/_has_privileges', {
        json,
        signal,
      })
    },
    enabled: privilege !== undefined,
  })
  return privilege !== undefined && answer.data?.cluster[privilege] === true
}
