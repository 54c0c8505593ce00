import { createTheme, type MantineColorsTuple } from '@mantine/core'

const brand: MantineColorsTuple = [
  '#e6f6fb',
  '#d0e8f1',
  '#a2d0e1',
  '#70b6d1',
  '#48a1c3',
  '#2f93bb',
  '#1f8cb7',
  '#0f7599',
  '#0f5e78',
  '#0a4a60',
]

const dark: MantineColorsTuple = [
  '#dfe5ec',
  '#b4c0cd',
  '#8e9cac',
  '#66758a',
  '#3a4759',
  '#2a3544',
  '#1d2733',
  '#161e29',
  '#10161f',
  '#0b1018',
]

/** Colours, type and sizes of the whole application. */
export const theme = createTheme({
  primaryColor: 'brand',
  // The lightest one on which white words still have a contrast of 4.5 to 1.
  primaryShade: 7,
  colors: { brand, dark },
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "JetBrains Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '22px' }, h2: { fontSize: '18px' }, h3: { fontSize: '15px' }, h4: { fontSize: '14px' } },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    // A button without a word is nameless to who listens to the page.
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Select: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
})
