import { defineSite } from 'quire-cms'

export const site = defineSite({ editor: { preview: 'trusted' } })
