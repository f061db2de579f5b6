import { defineSite, piece, type SiteApp } from 'quire-cms'

export const product = piece('product', {
  fields: { add: { name: { type: 'string' }, price: { type: 'string' }, street: { type: 'string' }, old: { type: 'string' } } },
})
export const site = defineSite({ types: [product] })

export async function seed(app: SiteApp<typeof site>) {
  const content = app.as({ role: 'editor', name: 'Seed' })
  await content.insert('product', { title: 'Ink', name: 'Ann Lee', price: '12.50', street: 'Long Street', old: 'Blue' })
  await content.insert('product', { title: 'Pen', name: 'Bob Ray', price: '7', street: 'Short Street', old: 'Red' })
}
