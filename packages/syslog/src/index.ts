export { createFramer, framePiecesMax, type SyslogFramer } from './framing.ts'
export { facilityName, facilityNames, type SyslogMessage, severityName } from './message.ts'
export { parseSyslog } from './parse.ts'
export { resolveTimestamp, type TimeContext } from './timestamp.ts'
