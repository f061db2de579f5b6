import { defineSite, piece } from 'quire-cms'

const order = piece('order', {
  hooks: {
    afterSave(_order, { reason }, ctx) {
      ctx.metrics.counter('shop_orders_total', 'Orders that were saved.').add({ reason })
    },
  },
})

export const site = defineSite({ types: [order] })
