export {
  type Applies,
  defineSettings,
  type Setting,
  type SettingsDefinition,
  type SettingTable,
  type SettingValues,
  setting,
} from './define-settings.ts'
export { LiveSettings, type Reloaded } from './live-settings.ts'
export { environmentName, loadSettings, readSettingsText } from './load-settings.ts'
