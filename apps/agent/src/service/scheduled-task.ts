import { type ServiceDefinition, xmlText } from './service-definition.ts'

const byteOrderMark = '\ufeff'

/**
 * Windows: a task for `schtasks`, in UTF-16 as that reads it. No service of `sc.exe`: the service control manager ends a program that does not answer it
 * within thirty seconds, which Node.js cannot. The task starts at boot as SYSTEM and is asked for each minute, which does nothing while it runs.
 */
export const scheduledTask: ServiceDefinition = {
  name: 'windows',
  render([program = '', ...argv]) {
    const text = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>logstack agent</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
      <Repetition>
        <Interval>PT1M</Interval>
      </Repetition>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>S-1-5-18</UserId>
      <RunLevel>HighestAvailable</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(program)}</Command>
      <Arguments>${xmlText(argv.map(windowsWord).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`
    return Buffer.from(byteOrderMark + text.replaceAll('\n', '\r\n'), 'utf16le')
  },
  start: (file) => `schtasks /Create /TN logstack-agent /XML "${file}" && schtasks /Run /TN logstack-agent`,
}

/** A word of a command line as Microsoft's C runtime takes it apart: backslashes count only before a quote. */
function windowsWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`
}
