import { defineSite } from 'quire-cms'

export const site = defineSite({
  name: 'Lantern',
  editor: { path: '/desk', title: 'Lantern: writing' },
})
