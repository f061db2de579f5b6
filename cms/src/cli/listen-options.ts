import { siteOption } from './site-module.ts'

/** The options of commands that listen. */
export const listenOptions = {
  ...siteOption,
  port: {
    type: 'string',
    description: 'The port to listen on (PORT; default 3000, 0 for any free one)',
    valueHint: 'number',
  },
  host: { type: 'string', description: 'The address to listen on (HOST; default localhost)', valueHint: 'name' },
  new: { type: 'boolean', description: 'Begin with an empty database even though there are uploads' },
} as const
