import { Modal, Stack, Text } from '@mantine/core'
import type { SessionInfo } from '../../../server/src/api-types.ts'
import { LoginForm } from './login-form.tsx'
import { messages } from './messages.ts'

// Above every dialog, menu and drawer of the page, which stay open below it.
const zIndex = 1_000

/** The login over a page whose session has ended. It cannot be closed: without a session the page can do nothing. */
export function LoginDialog({ username, onLogin }: { username: string; onLogin: (info: SessionInfo) => void }) {
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={messages.endedTitle}
      zIndex={zIndex}
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      // Menus and forms below would take a press here for one beside them, and close.
      onMouseDown={(event) => event.stopPropagation()}
      onTouchStart={(event) => event.stopPropagation()}
    >
      <Stack gap="md">
        <Text size="sm">{messages.endedText(username)}</Text>
        <LoginForm username={username} onLogin={onLogin} />
      </Stack>
    </Modal>
  )
}
