import { page, widget } from 'quire-cms'

export const landing = page('landing', { template: 'pages/landing.njk' })
export const quote = widget('quote', { fields: { add: { words: { type: 'string' } } }, template: 'widgets/quote.njk' })
