import { defineSite, html, page, pageMetadata, piece, templatesFor, withTemplates } from 'quire-cms'

const story = piece('story', { fields: { add: { lead: { type: 'string' }, day: { type: 'date' } } } })

const model = defineSite({
  baseUrl: 'https://tidewater.example',
  types: [story, page('stories', { piecesType: 'story' })],
})

const layout = templatesFor<typeof model>().layout((content, { page, piece }, scene) => html`<!doctype html>
  <html lang="${scene.locale}">
    <head>
      <title>${(piece ?? page)?.title}</title>
      ${pageMetadata(scene, {
        description: piece?.lead,
        article: piece && { published: piece.day },
      })}
      ${scene.slot('appendHead')}
    </head>
    <body>${content}</body>
  </html>`)

export const site = withTemplates(model, [layout])
