import { definePanel } from '../model/panel.ts'

/** The heading of a section of a dashboard of Kibana 9: its title is all there is to it. */
export const section = definePanel('section', () => null)
