import { defineSite, isStaticBuild } from 'quire-cms'

export const site = defineSite({
  features: [
    {
      name: 'search-box',
      hooks: {
        beforeSend(data, ctx) {
          data.hasSearch = !isStaticBuild(ctx)
        },
      },
    },
  ],
})
