import { defineSite } from 'quire-cms'

export const site = defineSite({
  embeds: {
    providers: [
      {
        name: 'Our videos',
        urls: ['https://video.example.org/w/*'],
        endpoint: 'https://video.example.org/services/oembed',
        hosts: ['video.example.org'],
      },
    ],
  },
})
