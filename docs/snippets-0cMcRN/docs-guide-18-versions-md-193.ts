// site.ts
import { defineSite, piece } from 'quire-cms'

export const site = defineSite({
  types: [piece('recipe'), piece('mood', { versions: false })],
  // Drafts of the last ninety days, and the newest twenty of each document in any case.
  versions: { keep: { days: 90, count: 20 } },
})
