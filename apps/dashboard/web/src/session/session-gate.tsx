import { Center, Loader } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import type { SessionInfo } from '../../../server/src/api-types.ts'
import { request, sessionEvents } from '../api/client.ts'
import { takeEarly } from '../boot/early.ts'
import { ErrorState } from '../shell/states.tsx'
import { LoginPage } from './login-page.tsx'

const SessionContext = createContext<SessionInfo | undefined>(undefined)
const sessionKey = ['session']

/** Who is logged in; for use below the gate only. */
export function useSession(): SessionInfo {
  const session = useContext(SessionContext)
  if (!session) throw new Error('BUG: no session above')
  return session
}

/** Logs out and forgets everything that was loaded. */
export function useLogout(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await request('api/session', { method: 'DELETE' })
    // The session's own query stays: the gate watches it.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
    client.setQueryData(sessionKey, null)
  }
}

/** Shows the application to who is logged in, the login page to everyone else; the address is kept for afterwards. */
export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: () => takeEarly('session', () => request<SessionInfo | null>('api/session')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    const onEnd = (): void => void client.setQueryData(sessionKey, null)
    sessionEvents.addEventListener('ended', onEnd)
    return () => sessionEvents.removeEventListener('ended', onEnd)
  }, [client])
  if (session.isPending) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    )
  }
  if (session.isError) return <ErrorState error={session.error} onRetry={() => void session.refetch()} />
  if (session.data === null) return <LoginPage onLogin={(info) => client.setQueryData(sessionKey, info)} />
  return <SessionContext value={session.data}>{children}</SessionContext>
}
