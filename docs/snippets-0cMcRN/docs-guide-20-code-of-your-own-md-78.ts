import { defineSite, type Feature, html, piece, route } from 'quire-cms'
import { z } from 'zod'

const article = piece('article', { fields: { add: { votes: { type: 'integer', def: 0 } } } })

const voting: Feature = {
  name: 'voting',
  routes: () => [
    route({
      method: 'POST',
      path: '/api/v1/article/:_id/vote',
      summary: 'Vote for an article',
      tag: 'article',
      operationId: 'article.vote',
      body: z.strictObject({ stars: z.int().min(1).max(5) }),
      maxBodyBytes: 1_000,
      answer: { type: 'object', properties: { votes: { type: 'integer' } } },
      handle: async (ctx, { params, body }) => {
        // Everybody may vote; an editor acts for this alone.
        const content = ctx.as({ role: 'editor', name: 'Voting' })
        return content.transaction(async (content) => {
          const found = await content.findOne('article', params._id ?? '')
          const votes = Number(found?.votes ?? 0) + body.stars
          await content.patch('article', params._id ?? '', { votes })
          return { votes }
        })
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/article-table',
      summary: 'Articles as a page for the office',
      tag: 'article',
      operationId: 'article.table',
      query: z.object({ page: z.coerce.number().int().min(1).default(1).describe('Which page.') }),
      csp: "default-src 'none'; style-src 'self'; frame-ancestors 'self'",
      answer: { type: 'string' },
      handle: async (ctx, { query }) => {
        const { results } = await ctx.as(ctx.actor).find('article', { page: query.page })
        return html`<table>${results.map(({ title }) => html`<tr><td>${title}</td></tr>`)}</table>`
      },
    }),
  ],
}

export const site = defineSite({ types: [article], features: [voting] })
