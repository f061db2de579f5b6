import { defineMigration } from 'quire-cms'
import { product } from '../site.ts'

export const migration = defineMigration({
  name: '0001-names-cents-and-addresses',
  async up(content) {
    await content.moveField(product, 'street', 'address.street')
    await content.mapField(product, 'price', (price) => Math.round(Number(price) * 100))
    await content.mapDocuments(product, ({ former }) => {
      const [firstName = '', lastName = ''] = String(former.name).split(' ')
      return { firstName, lastName }
    })
  },
})
