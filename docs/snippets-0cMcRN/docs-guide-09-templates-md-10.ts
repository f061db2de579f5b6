import { defineSite, html, page, widget } from 'quire-cms'

const quote = widget('quote', {
  fields: {
    add: {
      words: { type: 'string', required: true },
      link: { type: 'url' },
      _image: { type: 'relationship', withType: '@cms/image', max: 1 },
    },
  },
  render: ({ words, link, _image: [image] }, scene) => html`
    <blockquote>
      <p>${words}</p>
      ${image && html`<img src="${scene.attachmentUrl(image, { size: 'one-half' })}" alt="${image.alt}">`}
      ${link && html`<a href="${link}">Read more</a>`}
    </blockquote>`,
})

const landing = page('landing', {
  fields: { add: { body: { type: 'area', widgets: { quote: {}, '@cms/rich-text': {}, '@cms/image': {} } } } },
  render: ({ page }, scene) => html`<h1>${page.title}</h1>${scene.area(page.body)}`,
})

export const site = defineSite({
  types: [landing],
  widgets: [quote],
  layout: (content, { page, home }, scene) => html`<!doctype html>
    <html lang="${scene.locale}" dir="${scene.direction}">
      <head>
        ${scene.slot('prependHead')}
        <meta charset="utf-8">
        <title>${page?.title}</title>
        ${scene.slot('appendHead')}
      </head>
      <body>
        ${scene.slot('prependBody')}
        <header><a href="${home?._url}">${home?.title}</a></header>
        ${content}
        ${scene.slot('appendBody')}
      </body>
    </html>`,
  notFound: { render: () => html`<h1>Nothing here</h1>` },
})
