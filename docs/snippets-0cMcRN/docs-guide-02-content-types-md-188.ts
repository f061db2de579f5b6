import { defineSite, type Feature, Reply, route } from 'quire-cms'

const robots: Feature = {
  name: 'robots',
  routes: () => [
    route({
      method: 'GET',
      path: '/robots.txt',
      summary: 'What robots may read',
      tag: 'robots',
      operationId: 'robots.read',
      answer: { type: 'string' },
      handle: async () => new Reply('User-agent: *\n', { 'Content-Type': 'text/plain' }),
    }),
    route({
      method: 'POST',
      path: '/api/v1/robots/seen',
      summary: 'Tell that a robot was here',
      tag: 'robots',
      operationId: 'robots.seen',
      body: { type: 'object', required: ['times'], properties: { times: { type: 'integer', minimum: 1 } } },
      answer: { type: 'object' },
      handle: async (_ctx, { body }) => ({ thanks: body.times }),
    }),
  ],
  hooks: {
    afterSave({ type, id }, ctx) {
      ctx.log.info({ type: type.name, id: id.docId }, 'Saved.')
    },
  },
}

export const site = defineSite({ features: [robots] })
