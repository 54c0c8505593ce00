const minute = 60
const hour = 3600
const day = 24
const week = 7 * day
const month = 30 * day
const year = 365 * day

/** A duration (milliseconds) in the words podman's listing uses: `Less than a second`, `About a minute`, `3 hours`. */
export function durationWords(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 1) return 'Less than a second'
  if (seconds === 1) return '1 second'
  if (seconds < minute) return `${seconds} seconds`
  const minutes = Math.floor(seconds / minute)
  if (minutes === 1) return 'About a minute'
  if (minutes < 60) return `${minutes} minutes`
  const hours = Math.floor(seconds / hour + 0.5)
  if (hours === 1) return 'About an hour'
  if (hours < 2 * day) return `${hours} hours`
  if (hours < 2 * week) return `${Math.floor(hours / day)} days`
  if (hours < 2 * month) return `${Math.floor(hours / week)} weeks`
  if (hours < 2 * year) return `${Math.floor(hours / month)} months`
  return `${Math.floor(seconds / hour / year)} years`
}
