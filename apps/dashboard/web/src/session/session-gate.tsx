import { Center } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, Fragment, type ReactNode, useContext, useEffect, useState } from 'react'
import type { SessionInfo } from '../../../server/src/api-types.ts'
import { request, sessionPath } from '../api/client.ts'
import { takeEarly } from '../api/early.ts'
import { abandonSession, isSessionEnded, renewSession, sessionEvents } from '../api/session-end.ts'
import { Spinner } from '../shell/spinner.tsx'
import { ErrorState } from '../shell/states.tsx'
import { LoginDialog } from './login-dialog.tsx'
import { LoginPage } from './login-page.tsx'
import { messages } from './messages.ts'

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
  const forget = useForget()
  return async () => {
    await request(sessionPath, { method: 'DELETE' })
    forget(messages.loggedOut)
    client.setQueryData(sessionKey, null)
  }
}

/** Forgets what was loaded for one user, so that another sees nothing of it. */
function useForget(): (reason: string) => void {
  const client = useQueryClient()
  return (reason) => {
    abandonSession(new Error(reason))
    // The session's own query stays: the gate watches it.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  }
}

/**
 * Shows the application to who is logged in, the login page to everyone else; the address is kept for afterwards. When the session ends the
 * login comes as a dialog over the page, which goes on as it was after its user's login; another user gets it anew.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: () => takeEarly(sessionKey, () => request<SessionInfo | null>(sessionPath)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { isEnded, login } = useSessionEnd(session.data?.username)
  if (session.isPending) {
    return (
      <Center h="100vh" role="status" aria-label="Loading">
        <Spinner />
      </Center>
    )
  }
  if (session.isError) return <ErrorState error={session.error} onRetry={() => void session.refetch()} />
  if (session.data === null) return <LoginPage onLogin={(info) => client.setQueryData(sessionKey, info)} />
  const { username } = session.data
  return (
    <SessionContext value={session.data}>
      <Fragment key={username}>{children}</Fragment>
      {isEnded && <LoginDialog username={username} onLogin={login} />}
    </SessionContext>
  )
}

/** Whether the session of `username` has ended, and what a login does then. */
function useSessionEnd(username: string | undefined) {
  const client = useQueryClient()
  const forget = useForget()
  const [isEnded, setEnded] = useState(isSessionEnded)
  const login = (info: SessionInfo): void => {
    if (info.username === username) renewSession()
    else forget(messages.anotherUser)
    client.setQueryData(sessionKey, info)
    setEnded(false)
  }
  useEffect(() => {
    const onEnd = (): void => setEnded(true)
    // Escape must not close what lies below the login. This was here before each of them, and so is told first.
    const onKey = (event: KeyboardEvent): void => {
      if (isSessionEnded() && event.key === 'Escape') event.stopImmediatePropagation()
    }
    sessionEvents.addEventListener('ended', onEnd)
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      sessionEvents.removeEventListener('ended', onEnd)
      window.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [])
  return { isEnded, login }
}
