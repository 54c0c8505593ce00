/** A tactic of ATT&CK's enterprise matrix, in its order; `code` is short for it in the table below. */
export interface Tactic {
  readonly code: string
  readonly id: string
  readonly name: string
}

/** A technique of ATT&CK without its sub-techniques, and the tactics it serves. */
export interface Technique {
  readonly id: string
  readonly name: string
  readonly tactics: readonly string[]
}

export const tactics: readonly Tactic[] = [
  { code: 'rec', id: 'TA0043', name: 'Reconnaissance' },
  { code: 'res', id: 'TA0042', name: 'Resource Development' },
  { code: 'ini', id: 'TA0001', name: 'Initial Access' },
  { code: 'exe', id: 'TA0002', name: 'Execution' },
  { code: 'per', id: 'TA0003', name: 'Persistence' },
  { code: 'pri', id: 'TA0004', name: 'Privilege Escalation' },
  { code: 'def', id: 'TA0005', name: 'Defense Evasion' },
  { code: 'cre', id: 'TA0006', name: 'Credential Access' },
  { code: 'dis', id: 'TA0007', name: 'Discovery' },
  { code: 'lat', id: 'TA0008', name: 'Lateral Movement' },
  { code: 'col', id: 'TA0009', name: 'Collection' },
  { code: 'c2', id: 'TA0011', name: 'Command and Control' },
  { code: 'exf', id: 'TA0010', name: 'Exfiltration' },
  { code: 'imp', id: 'TA0040', name: 'Impact' },
]

// attack.mitre.org, enterprise, version 16: number, name, tactics.
const table = `1595 Active Scanning: rec
1592 Gather Victim Host Information: rec
1589 Gather Victim Identity Information: rec
1590 Gather Victim Network Information: rec
1591 Gather Victim Org Information: rec
1598 Phishing for Information: rec
1597 Search Closed Sources: rec
1596 Search Open Technical Databases: rec
1593 Search Open Websites/Domains: rec
1594 Search Victim-Owned Websites: rec
1650 Acquire Access: res
1583 Acquire Infrastructure: res
1586 Compromise Accounts: res
1584 Compromise Infrastructure: res
1587 Develop Capabilities: res
1585 Establish Accounts: res
1588 Obtain Capabilities: res
1608 Stage Capabilities: res
1659 Content Injection: ini c2
1189 Drive-by Compromise: ini
1190 Exploit Public-Facing Application: ini
1133 External Remote Services: ini per
1200 Hardware Additions: ini
1566 Phishing: ini
1091 Replication Through Removable Media: ini lat
1195 Supply Chain Compromise: ini
1199 Trusted Relationship: ini
1078 Valid Accounts: ini per pri def
1651 Cloud Administration Command: exe
1059 Command and Scripting Interpreter: exe
1609 Container Administration Command: exe
1610 Deploy Container: exe def
1203 Exploitation for Client Execution: exe
1559 Inter-Process Communication: exe
1106 Native API: exe
1053 Scheduled Task/Job: exe per pri
1648 Serverless Execution: exe
1129 Shared Modules: exe
1072 Software Deployment Tools: exe lat
1569 System Services: exe
1204 User Execution: exe
1047 Windows Management Instrumentation: exe
1098 Account Manipulation: per pri
1197 BITS Jobs: per def
1547 Boot or Logon Autostart Execution: per pri
1037 Boot or Logon Initialization Scripts: per pri
1176 Browser Extensions: per
1554 Compromise Host Software Binary: per
1136 Create Account: per
1543 Create or Modify System Process: per pri
1546 Event Triggered Execution: per pri
1574 Hijack Execution Flow: per pri def
1525 Implant Internal Image: per
1556 Modify Authentication Process: per def cre
1137 Office Application Startup: per
1653 Power Settings: per
1542 Pre-OS Boot: per def
1505 Server Software Component: per
1205 Traffic Signaling: per def c2
1548 Abuse Elevation Control Mechanism: pri def
1134 Access Token Manipulation: pri def
1484 Domain or Tenant Policy Modification: pri def
1611 Escape to Host: pri
1068 Exploitation for Privilege Escalation: pri
1055 Process Injection: pri def
1612 Build Image on Host: def
1622 Debugger Evasion: def dis
1140 Deobfuscate/Decode Files or Information: def
1006 Direct Volume Access: def
1480 Execution Guardrails: def
1211 Exploitation for Defense Evasion: def
1222 File and Directory Permissions Modification: def
1564 Hide Artifacts: def
1562 Impair Defenses: def
1656 Impersonation: def
1070 Indicator Removal: def
1202 Indirect Command Execution: def
1036 Masquerading: def
1578 Modify Cloud Compute Infrastructure: def
1666 Modify Cloud Resource Hierarchy: def
1112 Modify Registry: def
1601 Modify System Image: def
1599 Network Boundary Bridging: def
1027 Obfuscated Files or Information: def
1647 Plist File Modification: def
1620 Reflective Code Loading: def
1207 Rogue Domain Controller: def
1014 Rootkit: def
1553 Subvert Trust Controls: def
1218 System Binary Proxy Execution: def
1216 System Script Proxy Execution: def
1221 Template Injection: def
1127 Trusted Developer Utilities Proxy Execution: def
1535 Unused/Unsupported Cloud Regions: def
1550 Use Alternate Authentication Material: def lat
1497 Virtualization/Sandbox Evasion: def dis
1600 Weaken Encryption: def
1220 XSL Script Processing: def
1557 Adversary-in-the-Middle: cre col
1110 Brute Force: cre
1555 Credentials from Password Stores: cre
1212 Exploitation for Credential Access: cre
1187 Forced Authentication: cre
1606 Forge Web Credentials: cre
1056 Input Capture: cre col
1111 Multi-Factor Authentication Interception: cre
1621 Multi-Factor Authentication Request Generation: cre
1040 Network Sniffing: cre dis
1003 OS Credential Dumping: cre
1528 Steal Application Access Token: cre
1649 Steal or Forge Authentication Certificates: cre
1558 Steal or Forge Kerberos Tickets: cre
1539 Steal Web Session Cookie: cre
1552 Unsecured Credentials: cre
1087 Account Discovery: dis
1010 Application Window Discovery: dis
1217 Browser Information Discovery: dis
1580 Cloud Infrastructure Discovery: dis
1538 Cloud Service Dashboard: dis
1526 Cloud Service Discovery: dis
1619 Cloud Storage Object Discovery: dis
1613 Container and Resource Discovery: dis
1652 Device Driver Discovery: dis
1482 Domain Trust Discovery: dis
1083 File and Directory Discovery: dis
1615 Group Policy Discovery: dis
1654 Log Enumeration: dis
1046 Network Service Discovery: dis
1135 Network Share Discovery: dis
1201 Password Policy Discovery: dis
1120 Peripheral Device Discovery: dis
1069 Permission Groups Discovery: dis
1057 Process Discovery: dis
1012 Query Registry: dis
1018 Remote System Discovery: dis
1518 Software Discovery: dis
1082 System Information Discovery: dis
1614 System Location Discovery: dis
1016 System Network Configuration Discovery: dis
1049 System Network Connections Discovery: dis
1033 System Owner/User Discovery: dis
1007 System Service Discovery: dis
1124 System Time Discovery: dis
1210 Exploitation of Remote Services: lat
1534 Internal Spearphishing: lat
1570 Lateral Tool Transfer: lat
1563 Remote Service Session Hijacking: lat
1021 Remote Services: lat
1080 Taint Shared Content: lat
1560 Archive Collected Data: col
1123 Audio Capture: col
1119 Automated Collection: col
1185 Browser Session Hijacking: col
1115 Clipboard Data: col
1530 Data from Cloud Storage: col
1602 Data from Configuration Repository: col
1213 Data from Information Repositories: col
1005 Data from Local System: col
1039 Data from Network Shared Drive: col
1025 Data from Removable Media: col
1074 Data Staged: col
1114 Email Collection: col
1113 Screen Capture: col
1125 Video Capture: col
1071 Application Layer Protocol: c2
1092 Communication Through Removable Media: c2
1132 Data Encoding: c2
1001 Data Obfuscation: c2
1568 Dynamic Resolution: c2
1573 Encrypted Channel: c2
1008 Fallback Channels: c2
1665 Hide Infrastructure: c2
1105 Ingress Tool Transfer: c2
1104 Multi-Stage Channels: c2
1095 Non-Application Layer Protocol: c2
1571 Non-Standard Port: c2
1572 Protocol Tunneling: c2
1090 Proxy: c2
1219 Remote Access Software: c2
1102 Web Service: c2
1020 Automated Exfiltration: exf
1030 Data Transfer Size Limits: exf
1048 Exfiltration Over Alternative Protocol: exf
1041 Exfiltration Over C2 Channel: exf
1011 Exfiltration Over Other Network Medium: exf
1052 Exfiltration Over Physical Medium: exf
1567 Exfiltration Over Web Service: exf
1029 Scheduled Transfer: exf
1537 Transfer Data to Cloud Account: exf
1531 Account Access Removal: imp
1485 Data Destruction: imp
1486 Data Encrypted for Impact: imp
1565 Data Manipulation: imp
1491 Defacement: imp
1561 Disk Wipe: imp
1499 Endpoint Denial of Service: imp
1657 Financial Theft: imp
1495 Firmware Corruption: imp
1490 Inhibit System Recovery: imp
1498 Network Denial of Service: imp
1496 Resource Hijacking: imp
1489 Service Stop: imp
1529 System Shutdown/Reboot: imp`

export const techniques: readonly Technique[] = table.split('\n').map((line) => {
  const [about = '', served = ''] = line.split(': ')
  const [number = '', ...words] = about.split(' ')
  return { id: `T${number}`, name: words.join(' '), tactics: served.split(' ') }
})
