import { type ServiceDefinition, xmlText } from './service-definition.ts'

const label = 'logstack-agent'

/** macOS: a property list for `/Library/LaunchDaemons`, by launchd.plist(5). launchd starts it at boot, and again five seconds after it ended. */
export const launchd: ServiceDefinition = {
  name: 'launchd',
  render(argv) {
    const words = argv.map((word) => `    <string>${xmlText(word)}</string>`).join('\n')
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>5</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>/var/log/${label}.log</string>
  <key>StandardErrorPath</key>
  <string>/var/log/${label}.log</string>
</dict>
</plist>
`
    return Buffer.from(text)
  },
  start: (file) => `launchctl bootstrap system ${file}`,
}
