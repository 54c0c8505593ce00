/**
 * What was shipped before imports wrote down which version they brought: the hashes (`contentHash`) of earlier versions, by `type/id`. One that is
 * stored with such content was changed by nobody. Complete: later versions are in `imported.json` of each installation.
 */
export const earlierContents: Readonly<Record<string, readonly string[]>> = {
  'dashboard/logstack-checks': ['6ace9f5cb36cc097'],
  'dashboard/logstack-inventory': ['d0791479ae70dbd5', '07bc16fe6285af77'],
  'dashboard/logstack-process-explorer': ['34ecd4c621e3be4a'],
  'dashboard/logstack-syslog': ['a3639f435666b853'],
  'dashboard/logstack-sysmon': ['99b00ab458f40eb2'],
  'dashboard/logstack-windows-security': ['48487a32a582fe95'],
  'search/logstack-process-explorer-p3-0': ['05eab7f76faa1743'],
  'search/logstack-sysmon-p3-0': ['4bfc5c30fdeb2dfa'],
  'search/logstack-sysmon-p3-1': ['8974cdfe2d6995f1'],
  'search/logstack-windows-security-p4-0': ['b5dae295708a536c'],
}
