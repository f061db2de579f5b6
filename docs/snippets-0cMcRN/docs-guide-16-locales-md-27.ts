import { defineSite } from 'quire-cms'

export const site = defineSite({
  trustProxy: true,
  baseUrl: 'https://example.org',
  locales: {
    en: { label: 'English', hostname: 'example.org' },
    fr: { label: 'Français', hostname: 'example.fr' },
    'fr-be': { label: 'Français (Belgique)', hostname: 'example.be', prefix: '/fr' },
    'nl-be': { label: 'Nederlands (België)', hostname: 'example.be', prefix: '/nl' },
  },
})
