import { TextInput, type TextInputProps } from '@mantine/core'
import { Search } from 'lucide-react'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'leftSection'> {
  /** What is looked for, and what stands in it while nothing is. */
  readonly label: string
  readonly value: string
  readonly onFind: (text: string) => void
}

/** An input that narrows the list below it. */
export function FindInput({ label, value, onFind, ...more }: Props) {
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      {...more}
      // Else it would be a label above it.
      label={undefined}
      leftSection={<Search size={15} />}
      value={value}
      onChange={(event) => onFind(event.currentTarget.value)}
    />
  )
}
