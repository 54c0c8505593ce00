/** All words of the time picker. */
export const messages = {
  pick: 'Time range',
  quick: 'Quick ranges',
  relative: 'Relative',
  absolute: 'Absolute',
  last: 'Last',
  apply: 'Apply',
  from: 'From',
  to: 'To',
  refresh: 'Refresh',
  refreshEvery: 'Refresh automatically',
  off: 'Off',
} as const

/** Units of the relative range, by their date-math letter. */
export const unitOptions = [
  { value: 's', label: 'seconds' },
  { value: 'm', label: 'minutes' },
  { value: 'h', label: 'hours' },
  { value: 'd', label: 'days' },
  { value: 'w', label: 'weeks' },
  { value: 'M', label: 'months' },
]

/** Refresh intervals on offer, in milliseconds. */
export const refreshOptions = [
  { value: '0', label: messages.off },
  { value: '5000', label: '5 s' },
  { value: '10000', label: '10 s' },
  { value: '30000', label: '30 s' },
  { value: '60000', label: '1 min' },
  { value: '300000', label: '5 min' },
]
