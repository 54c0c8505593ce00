import type { Fields } from '../../../ecs/fields.ts'

/** `ID` of os-release by what systems call themselves. */
const platforms: readonly (readonly [RegExp, string])[] = [
  [/^Debian\b/, 'debian'],
  [/^Ubuntu\b/, 'ubuntu'],
  [/^AlmaLinux\b/, 'almalinux'],
  [/^Rocky Linux\b/, 'rocky'],
  [/^Red Hat\b/, 'rhel'],
  [/^CentOS\b/i, 'centos'],
  [/^Fedora\b/, 'fedora'],
  [/^Amazon Linux\b/, 'amzn'],
  [/^Oracle Linux\b/, 'ol'],
  [/^openSUSE\b|^SLES\b|^SUSE\b/, 'suse'],
  [/^(?:Microsoft )?Windows\b/, 'windows'],
  [/^(?:macOS|Mac OS X)\b/, 'darwin'],
]

/** What keep-alives say: `Linux |web1 |6.1.0-18-amd64 |#1 SMP … |x86_64 [Debian GNU/Linux|debian: 12 (bookworm)] - Wazuh v4.14.7`. */
const unix = /\[([^|\]]{1,200})\|([\w.-]{1,64}): ([^\]]{0,200})\]/
/** `Microsoft Windows 11 Pro [Ver: 10.0.22631.4460] |ws1 |AMD64 - Wazuh v4.14.7` */
const windows = /^([^[]{1,200}?) ?\[Ver: ([\d.]{1,40})\]/

/**
 * ECS's `host.os` of what an agent says of its system, in a keep-alive or cut down to name and version (`Debian GNU/Linux 12 (bookworm)`). Agents say
 * it before anything else, so packages have the release that vulnerabilities are looked up by.
 */
export function systemFields(said: string): Fields {
  const [, unixName, platform, unixVersion = ''] = unix.exec(said) ?? []
  if (unixName !== undefined) return describeSystem(unixName, unixVersion, platform)
  const [, windowsName, build] = windows.exec(said) ?? []
  if (windowsName !== undefined) return describeSystem(windowsName, build ?? '', 'windows')
  // Others send the fields of uname only.
  const [line = ''] = said.split(/ - Wazuh | *\|/)
  // The version is the last number with or without dots, before what is in brackets.
  const [, name = line, version = ''] =
    /^(.{1,200}?) (\d[\w.]{0,40}(?: (?:LTS|\([^)]{1,80}\)))*)$/.exec(line.trim()) ?? []
  return describeSystem(name, version, platforms.find(([known]) => known.test(name))?.[1])
}

/** ECS's `host.os` of a name, a version in words such as `12 (bookworm)`, and `ID` of os-release. */
export function describeSystem(name: string, version: string, platform: string | undefined): Fields {
  const release = /^\d+(?:\.\d+)*/.exec(version)?.[0]
  return {
    name: name.trim(),
    ...(platform === undefined ? {} : { platform }),
    ...(release === undefined ? {} : { version: release }),
    full: `${name} ${version}`.trim(),
  }
}
