import { defineSite, page } from 'quire-cms'

export const site = defineSite({
  baseUrl: 'https://example.org',
  locales: {
    en: { label: 'English' },
    fr: { label: 'Français', prefix: '/fr' },
    ar: { label: 'العربية', prefix: '/ar', direction: 'rtl' },
    // Not ready yet: only users who are signed in can see it.
    de: { label: 'Deutsch', prefix: '/de', private: true },
  },
  types: [page('landing', {})],
})
