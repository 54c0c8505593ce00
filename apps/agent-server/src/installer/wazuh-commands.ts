import { isIP } from 'node:net'

/** Which agent the lines install: one that its servers of version 4 take, as endpoint-manager does. */
const version = '4.14.7'
const packages = 'https://packages.wazuh.com/4.x'

/** What agents try unless they are told. */
const defaultPorts = { events: 1514, enrolment: 1515 } as const

/** Where Wazuh agents send events and enrol. */
export interface WazuhPorts {
  readonly events: number
  readonly enrolment: number
}

/** A line for each system that installs Wazuh's own agent, enrols it and starts it; the token stands where `<TOKEN>` does. */
export interface WazuhCommands {
  /** For PowerShell, as an administrator. */
  readonly windows: string
  /** For the shell of a system with dpkg or rpm, and systemd. */
  readonly linux: string
  readonly macos: string
}

/** The ports, from where endpoint-manager listens for both; undefined where either is closed. */
export function wazuhPortsOf(eventsUrl: string | undefined, enrolmentUrl: string | undefined): WazuhPorts | undefined {
  if (!eventsUrl || !enrolmentUrl) return undefined
  return { events: portOf(eventsUrl), enrolment: portOf(enrolmentUrl) }
}

/** The lines for agents that reach the stack at the host of `serverUrl`. The installers know these variables of old; what they are not told is as in Wazuh. */
export function wazuhCommands(serverUrl: string, ports: WazuhPorts): WazuhCommands {
  const { hostname } = new URL(serverUrl)
  const bare = hostname.replace(/^\[|\]$/g, '')
  const variables: readonly (readonly [string, string])[] = [
    ['WAZUH_MANAGER', isIP(bare) === 6 ? bare : hostname],
    ...(ports.events === defaultPorts.events ? [] : [['WAZUH_MANAGER_PORT', String(ports.events)] as const]),
    ...(ports.enrolment === defaultPorts.enrolment
      ? []
      : [['WAZUH_REGISTRATION_PORT', String(ports.enrolment)] as const]),
    ['WAZUH_REGISTRATION_PASSWORD', '<TOKEN>'],
  ]
  return { windows: windowsLine(variables), linux: linuxLine(variables), macos: macosLine(variables) }
}

type Variables = readonly (readonly [name: string, value: string])[]

// PowerShell does not wait for msiexec of itself, and takes old protocols on old systems.
function windowsLine(variables: Variables): string {
  const given = variables.map(([name, value]) => `${name}=\`"${value}\`"`).join(' ')
  return [
    "& { $ErrorActionPreference = 'Stop'",
    "[Net.ServicePointManager]::SecurityProtocol = 'Tls12'",
    '$msi = "$env:TEMP\\wazuh-agent.msi"',
    `Invoke-WebRequest -UseBasicParsing '${packages}/windows/wazuh-agent-${version}-1.msi' -OutFile $msi`,
    `Start-Process msiexec.exe -Wait -ArgumentList "/i \`"$msi\`" /q ${given}"`,
    'Start-Service WazuhSvc }',
  ].join('; ')
}

function linuxLine(variables: Variables): string {
  const given = variables.map(([name, value]) => `${name}='${value}'`).join(' ')
  const install = (file: string, folder: string, program: string): string =>
    `P=${file} && curl -fO ${packages}/${folder}/$P && sudo env ${given} ${program} ./$P`
  const deb = install(
    `wazuh-agent_${version}-1_$(dpkg --print-architecture).deb`,
    'apt/pool/main/w/wazuh-agent',
    'dpkg -i',
  )
  const rpm = install(`wazuh-agent-${version}-1.$(uname -m).rpm`, 'yum', 'rpm -i')
  return `if command -v dpkg >/dev/null; then ${deb}; else ${rpm}; fi && sudo systemctl enable --now wazuh-agent`
}

// Its installer passes no variables on: Wazuh's script reads them of a file, and removes it.
function macosLine(variables: Variables): string {
  const given = variables.map(([name, value]) => `${name}='${value}'`).join(' ')
  return [
    `P=wazuh-agent-${version}-1.$([ "$(uname -m)" = arm64 ] && echo arm64 || echo intel64).pkg`,
    `curl -fO ${packages}/macos/$P`,
    `(umask 077; echo "${given}" >/tmp/wazuh_envs)`,
    'sudo installer -pkg ./$P -target /',
    'sudo launchctl bootstrap system /Library/LaunchDaemons/com.wazuh.agent.plist',
  ].join(' && ')
}

function portOf(url: string): number {
  const { port } = new URL(url)
  return port === '' ? 443 : Number(port)
}
