import { defineSite } from 'quire-cms'

export const site = defineSite({
  features: [
    {
      name: 'calendar',
      hooks: {
        getAllUrlMetadata(_ctx, results) {
          results.push({ url: '/calendar.ics', contentType: 'text/calendar', i18nId: 'calendar', sitemap: false })
        },
        getLiteralContentRoutes(_ctx, patterns) {
          patterns.push('/calendar.ics')
        },
      },
    },
  ],
})
