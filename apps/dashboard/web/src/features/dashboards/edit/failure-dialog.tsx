import { Alert, Modal } from '@mantine/core'

/** Says why something could not be done; shows nothing without an error. */
export function FailureDialog({ title, error, onClose }: { title: string; error: Error | null; onClose: () => void }) {
  return (
    <Modal opened={error !== null} onClose={onClose} title={title}>
      <Alert color="red" role="alert">
        {error?.message}
      </Alert>
    </Modal>
  )
}
