import { defineSite, html, widget } from 'quire-cms'

const chart = widget('chart', {
  versionsRender: true,
  fields: { add: { numbers: { type: 'string' } } },
  render: ({ numbers }) => html`<figure>${numbers}</figure>`,
})
const latest = widget('latest', { versionsRenderDeleted: false, fields: { add: { count: { type: 'integer' } } } })

export const site = defineSite({ widgets: [chart, latest] })
