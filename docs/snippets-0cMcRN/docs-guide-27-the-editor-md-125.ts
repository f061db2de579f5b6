import { defineSite } from 'quire-cms'

export const site = defineSite({
  baseUrl: 'https://www.example.org',
  editor: { origin: 'https://edit.example.org', frontends: ['https://www.example.org'] },
})
