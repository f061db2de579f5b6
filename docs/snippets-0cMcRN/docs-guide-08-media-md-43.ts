import { defineSite, piece } from 'quire-cms'

export const site = defineSite({
  fileGroups: [
    { name: 'images', extensions: ['jpg', 'png', 'svg', 'webp'] },
    { name: 'sound', label: 'Recordings', extensions: ['mp3', 'ogg'] },
  ],
  types: [
    piece('song', {
      fields: {
        add: {
          recording: { type: 'attachment', fileGroup: 'sound', required: true },
          cover: { type: 'attachment', fileGroup: 'images', accepts: ['jpg', 'png'] },
        },
      },
    }),
  ],
})
