import { defineSite } from 'quire-cms'

export const site = defineSite({
  fastify: async (app) => {
    app.get('/hello/:name', async ({ params }) => ({ hello: params }))
  },
})
