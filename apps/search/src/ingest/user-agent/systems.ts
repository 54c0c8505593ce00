/** An operating system as a user agent tells of it. */
export interface OperatingSystem {
  readonly name: string
  readonly version: string | undefined
}

const windowsReleases: Readonly<Record<string, string>> = {
  '10.0': '10',
  '6.3': '8.1',
  '6.2': '8',
  '6.1': '7',
  '6.0': 'Vista',
  '5.2': 'XP',
  '5.1': 'XP',
  '5.0': '2000',
}

type Reader = (found: RegExpExecArray) => OperatingSystem

const named =
  (name: string): Reader =>
  (found) => ({ name, version: found[1]?.replaceAll('_', '.') })

/** The first that fits counts: what is built on Linux says Linux, too. */
const systems: readonly (readonly [pattern: RegExp, read: Reader])[] = [
  [/Windows Phone(?: OS)? ([\d.]*\d)/u, named('Windows Phone')],
  [/Windows NT ([\d.]*\d)/u, (found) => ({ name: 'Windows', version: windowsReleases[found[1] ?? ''] ?? found[1] })],
  [/Windows (95|98|ME|CE|XP|2000)\b/u, named('Windows')],
  [/Windows/u, named('Windows')],
  [/\((?:iPhone|iPad|iPod)[^)]* OS (\d+(?:_\d+)*)/u, named('iOS')],
  [/(?:iPhone|iPad|iPod|iOS)(?:[ /](\d+(?:\.\d+)*))?/u, named('iOS')],
  [/Mac OS X (\d+(?:[._]\d+)*)/u, named('Mac OS X')],
  [/Macintosh|Mac OS X|macOS/u, named('Mac OS X')],
  [/Android[ /-](\d+(?:\.\d+)*)/u, named('Android')],
  [/Android/u, named('Android')],
  [/CrOS \S+ (\d+(?:\.\d+)*)/u, named('Chrome OS')],
  [/Tizen (\d+(?:\.\d+)*)/u, named('Tizen')],
  [/KAIOS\/(\d+(?:\.\d+)*)/u, named('KaiOS')],
  [/HarmonyOS(?: (\d+(?:\.\d+)*))?/u, named('HarmonyOS')],
  [/(?:Ubuntu)(?:\/(\d+(?:\.\d+)*))?/u, named('Ubuntu')],
  [/(?:Fedora)(?:\/(\d+(?:\.\d+)*))?/u, named('Fedora')],
  [/(?:Debian)(?:\/(\d+(?:\.\d+)*))?/u, named('Debian')],
  [/FreeBSD(?:[ /](\d+(?:\.\d+)*))?/u, named('FreeBSD')],
  [/OpenBSD(?:[ /](\d+(?:\.\d+)*))?/u, named('OpenBSD')],
  [/NetBSD(?:[ /](\d+(?:\.\d+)*))?/u, named('NetBSD')],
  [/Linux(?:\/(\d+(?:\.\d+)*))?/iu, named('Linux')],
]

/** The operating system a user agent names; undefined when it names none. */
export function operatingSystemOf(text: string): OperatingSystem | undefined {
  for (const [pattern, read] of systems) {
    const found = pattern.exec(text)
    if (found) return read(found)
  }
  return undefined
}
